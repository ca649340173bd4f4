//! The names of the `gen_ai` conventions, of one version, and the table of providers.

/// The version of the conventions that the names below are of. All of them are in development there.
pub(super) const SCHEMA: &str = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev";

pub(super) const INVOKE_AGENT: &str = "invoke_agent";
pub(super) const CHAT: &str = "chat";
pub(super) const EXECUTE_TOOL: &str = "execute_tool";

pub(super) const OPERATION: &str = "gen_ai.operation.name";
pub(super) const AGENT: &str = "gen_ai.agent.name";
pub(super) const CONVERSATION: &str = "gen_ai.conversation.id";
pub(super) const COMPACTED: &str = "gen_ai.conversation.compacted";
pub(super) const PROVIDER: &str = "gen_ai.provider.name";
pub(super) const REQUEST_MODEL: &str = "gen_ai.request.model";
pub(super) const RESPONSE_ID: &str = "gen_ai.response.id";
pub(super) const RESPONSE_MODEL: &str = "gen_ai.response.model";
pub(super) const INPUT_MESSAGES: &str = "gen_ai.input.messages";
pub(super) const OUTPUT_MESSAGES: &str = "gen_ai.output.messages";
/// Cached tokens included.
pub(super) const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
pub(super) const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
pub(super) const CACHE_READ: &str = "gen_ai.usage.cache_read.input_tokens";
pub(super) const CACHE_WRITE: &str = "gen_ai.usage.cache_write.input_tokens";
pub(super) const REASONING: &str = "gen_ai.usage.reasoning.output_tokens";
pub(super) const TOOL_NAME: &str = "gen_ai.tool.name";
pub(super) const TOOL_TYPE: &str = "gen_ai.tool.type";
pub(super) const TOOL_CALL: &str = "gen_ai.tool.call.id";
pub(super) const TOOL_ARGUMENTS: &str = "gen_ai.tool.call.arguments";
pub(super) const TOOL_RESULT: &str = "gen_ai.tool.call.result";
pub(super) const ERROR_TYPE: &str = "error.type";
pub(super) const EXIT_CODE: &str = "process.exit.code";
/// Where viewers look for sessions.
pub(super) const SESSION: &str = "session.id";

/// The conventions have no name for these.
pub(super) const COST: &str = "agentnorm.cost_usd";
pub(super) const TURN: &str = "agentnorm.turn";
pub(super) const LEFT_OUT: &str = "agentnorm.left_out";
pub(super) const NO_CALL: &str = "agentnorm.usage_of_no_call";
pub(super) const TITLE: &str = "agentnorm.title";

/// How models' names begin, and who provides them.
const MODELS: [(&str, &str); 17] = [
    ("claude", "anthropic"),
    ("gpt", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
    ("codex", "openai"),
    ("gemini", "gcp.gemini"),
    ("kimi", "moonshot_ai"),
    ("moonshot", "moonshot_ai"),
    ("mistral", "mistral_ai"),
    ("devstral", "mistral_ai"),
    ("codestral", "mistral_ai"),
    ("grok", "x_ai"),
    ("deepseek", "deepseek"),
    ("command", "cohere"),
    ("nova", "aws.bedrock"),
    ("granite", "ibm.watsonx.ai"),
];

/// The harnesses whose vendor has models of its own.
const VENDORS: [(&str, &str); 6] = [
    ("claude-code", "anthropic"),
    ("codex", "openai"),
    ("gemini", "gcp.gemini"),
    ("grok", "x_ai"),
    ("kimi", "moonshot_ai"),
    ("vibe", "mistral_ai"),
];

/// Returns the provider of a model, else of the harness.
pub(super) fn provider(model: Option<&str>, harness: Option<&str>) -> &'static str {
    let find = |table: &[(&str, &'static str)], name: &str| {
        table.iter().find(|(start, _)| name.starts_with(start)).map(|(_, provider)| *provider)
    };
    let named = model.and_then(|model| {
        // Routers write `anthropic/claude-…`.
        find(&MODELS, model.rsplit('/').next().unwrap_or(model).to_lowercase().as_str())
    });
    named.or_else(|| find(&VENDORS, harness?)).unwrap_or("_OTHER")
}
