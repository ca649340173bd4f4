# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_agentnorm_global_optspecs
    string join \n p/protocol= clip= max-line= no-deltas stamp redact redact-env= redact-env-file= redact-rules= redact-key= budget= no-source o/output= tee= show= e/exit-status h/help V/version
end

function __fish_agentnorm_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_agentnorm_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_agentnorm_using_subcommand
    set -l cmd (__fish_agentnorm_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c agentnorm -n "__fish_agentnorm_needs_command" -s p -l protocol -d 'The dialect of the input; detected (auto) unless it is given' -r -f -a "auto\t'detect it from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output, and session files'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json or json output, and session files'
opencode\t'opencode and Kilo Code, json format of run'
droid\t'Factory Droid, stream-json output of exec'
copilot\t'GitHub Copilot CLI, --output-format json'
acp\t'Agent Client Protocol over stdio'
cursor\t'Cursor CLI, --output-format stream-json'
kimi\t'Kimi Code and Kimi CLI, stream-json output'
openhands\t'OpenHands CLI, headless JSON output'
vibe\t'Mistral Vibe, streaming output'
goose\t'goose, stream-json output of run'
pi\t'pi, --mode json or rpc'
cline\t'cline, --json'
grok\t'Grok CLI, streaming-json output'"
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l clip -d 'Clip each text field to N characters; 0 for no limit' -r
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l max-line -d 'The longest line to read, in bytes; a longer one becomes one clipped `raw` event' -r
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l redact-env -d 'Also redact the values of these environment variables (repeatable; `*` and `?` match)' -r
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l redact-env-file -d 'Also redact the values of the variables in this `.env` file (repeatable)' -r -F
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l redact-rules -d 'Also redact by the rules in FILE: `name<TAB>regex`, `!name` (off), `ok<TAB>regex` (allow)' -r -F
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l redact-key -d 'Make equal secrets have equal placeholders in each run that is given this file' -r -F
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l budget -d 'Write at most N events, and one more that says how many lines were not normalized' -r
complete -c agentnorm -n "__fish_agentnorm_needs_command" -s o -l output -d 'Write events to FILE instead of standard output; `-` is standard output' -r -F
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l tee -d 'Also write the input to FILE, byte for byte (redacted with --redact), even after standard output is closed' -r -F
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l show -d 'Show the session on standard output, as `agentnorm show` does; events go to -o only' -r -f -a "terminal\t'Colours, Markdown, folded results; on a terminal, text appears as it is written'
plain\t'One line per event, for logs and grep'
markdown\t'Markdown for the summary of a CI job'
html\t'One self-contained page for a browser'"
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l no-deltas -d 'Leave out partial text, and the lines that only a stream of partial text has'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l stamp -d 'Give events whose line states no time the time when it was read'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l redact -d 'Replace secrets in each line, before anything else sees it'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l no-source -d 'Leave out `source`, the line that each event came from'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -s e -l exit-status -d 'Exit with 1 unless the session succeeded'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -s V -l version -d 'Print version'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "normalize" -d 'Normalize files, each as a stream of its own'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "wrap" -d 'Run an agent and normalize what it prints'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "summarize" -d 'Report what sessions spent and did'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "title-probe" -d 'Find a session\'s name when its stream does not state it'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "check" -d 'Report how well agentnorm understands streams'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "failures" -d 'List the tool calls that failed'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "show" -d 'Show sessions for people to read, live'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "export" -d 'Export sessions to what other programs read: traces, trajectories'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "schema" -d 'Print the schema of the events'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -s p -l protocol -d 'The dialect of the input; detected (auto) unless it is given' -r -f -a "auto\t'detect it from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output, and session files'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json or json output, and session files'
opencode\t'opencode and Kilo Code, json format of run'
droid\t'Factory Droid, stream-json output of exec'
copilot\t'GitHub Copilot CLI, --output-format json'
acp\t'Agent Client Protocol over stdio'
cursor\t'Cursor CLI, --output-format stream-json'
kimi\t'Kimi Code and Kimi CLI, stream-json output'
openhands\t'OpenHands CLI, headless JSON output'
vibe\t'Mistral Vibe, streaming output'
goose\t'goose, stream-json output of run'
pi\t'pi, --mode json or rpc'
cline\t'cline, --json'
grok\t'Grok CLI, streaming-json output'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l clip -d 'Clip each text field to N characters; 0 for no limit' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l max-line -d 'The longest line to read, in bytes; a longer one becomes one clipped `raw` event' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l redact-env -d 'Also redact the values of these environment variables (repeatable; `*` and `?` match)' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l redact-env-file -d 'Also redact the values of the variables in this `.env` file (repeatable)' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l redact-rules -d 'Also redact by the rules in FILE: `name<TAB>regex`, `!name` (off), `ok<TAB>regex` (allow)' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l redact-key -d 'Make equal secrets have equal placeholders in each run that is given this file' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l budget -d 'Write at most N events, and one more that says how many lines were not normalized' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -s o -l output -d 'Write events to FILE instead of standard output; `-` is standard output' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l tee -d 'Also write the input to FILE, byte for byte (redacted with --redact), even after standard output is closed' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l show -d 'Show the session on standard output, as `agentnorm show` does; events go to -o only' -r -f -a "terminal\t'Colours, Markdown, folded results; on a terminal, text appears as it is written'
plain\t'One line per event, for logs and grep'
markdown\t'Markdown for the summary of a CI job'
html\t'One self-contained page for a browser'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l no-deltas -d 'Leave out partial text, and the lines that only a stream of partial text has'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l stamp -d 'Give events whose line states no time the time when it was read'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l redact -d 'Replace secrets in each line, before anything else sees it'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l no-source -d 'Leave out `source`, the line that each event came from'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -s e -l exit-status -d 'Exit with 1 unless the session succeeded'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -s H -l with-filename -d 'Name the file in each record, as `file`'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -s p -l protocol -d 'The dialect of the input; detected (auto) unless it is given' -r -f -a "auto\t'detect it from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output, and session files'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json or json output, and session files'
opencode\t'opencode and Kilo Code, json format of run'
droid\t'Factory Droid, stream-json output of exec'
copilot\t'GitHub Copilot CLI, --output-format json'
acp\t'Agent Client Protocol over stdio'
cursor\t'Cursor CLI, --output-format stream-json'
kimi\t'Kimi Code and Kimi CLI, stream-json output'
openhands\t'OpenHands CLI, headless JSON output'
vibe\t'Mistral Vibe, streaming output'
goose\t'goose, stream-json output of run'
pi\t'pi, --mode json or rpc'
cline\t'cline, --json'
grok\t'Grok CLI, streaming-json output'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l clip -d 'Clip each text field to N characters; 0 for no limit' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l max-line -d 'The longest line to read, in bytes; a longer one becomes one clipped `raw` event' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l redact-env -d 'Also redact the values of these environment variables (repeatable; `*` and `?` match)' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l redact-env-file -d 'Also redact the values of the variables in this `.env` file (repeatable)' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l redact-rules -d 'Also redact by the rules in FILE: `name<TAB>regex`, `!name` (off), `ok<TAB>regex` (allow)' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l redact-key -d 'Make equal secrets have equal placeholders in each run that is given this file' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l budget -d 'Write at most N events, and one more that says how many lines were not normalized' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -s o -l output -d 'Write events to FILE instead of standard output; `-` is standard output' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l tee -d 'Also write the input to FILE, byte for byte (redacted with --redact), even after standard output is closed' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l show -d 'Show the session on standard output, as `agentnorm show` does; events go to -o only' -r -f -a "terminal\t'Colours, Markdown, folded results; on a terminal, text appears as it is written'
plain\t'One line per event, for logs and grep'
markdown\t'Markdown for the summary of a CI job'
html\t'One self-contained page for a browser'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l kill-after -d 'Kill what is still running this long after a signal (500ms, 10s, 2m; a bare number is seconds)' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l linger -d 'End a command that is silent this long after its session.ended, with no background work' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l timeout -d 'End the command when it has run for so long' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l idle-timeout -d 'End it when the agent makes no progress for so long; calls that are open and background work stop this clock' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l tool-timeout -d 'End it when a tool call has been open for so long' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l max-turns -d 'End it when it makes more than N model calls' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l max-tokens -d 'End it when more than N tokens were used: input, cache and output together' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l max-cost -d 'End it when it has cost more than this, by the agent\'s own figure' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l max-repeats -d 'End it when it makes the same call, name and input, N times in a row' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l heartbeat -d 'After so long without output, say on standard error how long it runs and what is open' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l rate-limit-status -d 'Exit with N if the session failed and its last error was a rate limit (75 is usual)' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l no-deltas -d 'Leave out partial text, and the lines that only a stream of partial text has'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l stamp -d 'Give events whose line states no time the time when it was read'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l redact -d 'Replace secrets in each line, before anything else sees it'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l no-source -d 'Leave out `source`, the line that each event came from'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -s e -l exit-status -d 'Exit with 1 unless the session succeeded'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l dry-run -d 'Print the command that would be run, and do not run it'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -s p -l protocol -d 'The dialect of raw streams; events that agentnorm wrote are recognized anyway' -r -f -a "auto\t'detect it from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output, and session files'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json or json output, and session files'
opencode\t'opencode and Kilo Code, json format of run'
droid\t'Factory Droid, stream-json output of exec'
copilot\t'GitHub Copilot CLI, --output-format json'
acp\t'Agent Client Protocol over stdio'
cursor\t'Cursor CLI, --output-format stream-json'
kimi\t'Kimi Code and Kimi CLI, stream-json output'
openhands\t'OpenHands CLI, headless JSON output'
vibe\t'Mistral Vibe, streaming output'
goose\t'goose, stream-json output of run'
pi\t'pi, --mode json or rpc'
cline\t'cline, --json'
grok\t'Grok CLI, streaming-json output'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l max-line -d 'The longest line to read, in bytes; a longer one is not interpreted' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l format -d 'The format of the recaps' -r -f -a "text\t'A table for people: of one session what it did, of several a line each'
json\t'One JSON object with stable keys, for programs'
markdown\t'A table for the summary of a CI job'
csv\t'A line a session or group with comma-separated values'
tsv\t'The same with tabs'
env\t'`key=value` lines of the total, for `$GITHUB_OUTPUT` or a shell'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l by -d 'Group the sessions' -r -f -a "day\t'The day on which the session began'
week\t'Its week, from Monday: `2026-W49`'
month\t'Its month'
harness\t'The agent'
model\t'The model; a session that called several is in the group of each with its part'
cwd\t'The working directory'
session\t'The session\'s id'
file\t'The first file that the session was read from'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l since -d 'Only sessions that began then or later: a date, a time, or how long ago (`7d`, `12h`, `2w`)' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l until -d 'Only sessions that began before: a date (that day included), a time, or how long ago' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l sort -d 'The order of the lines; without it, as the sessions came, and groups by their key' -r -f -a "start\t'By start, or by the groups\' key'
cost\t'What cost most first'
tokens\t'What took most tokens first'
turns\t'What took most turns first'
duration\t'What took longest first'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l top -d 'Print no more than N lines. The total is of all' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l details -d 'Print all of each session, also where there are several'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l utc -d 'Days and times in UTC instead of the local time zone'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -s e -l exit-status -d 'Exit with 1 unless each stream\'s session succeeded'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l dedupe -d 'Count only once what occurs twice, such as the same file'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand title-probe" -s p -l protocol -d 'The dialect; `auto` looks in every known place' -r -f -a "auto\t'detect it from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output, and session files'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json or json output, and session files'
opencode\t'opencode and Kilo Code, json format of run'
droid\t'Factory Droid, stream-json output of exec'
copilot\t'GitHub Copilot CLI, --output-format json'
acp\t'Agent Client Protocol over stdio'
cursor\t'Cursor CLI, --output-format stream-json'
kimi\t'Kimi Code and Kimi CLI, stream-json output'
openhands\t'OpenHands CLI, headless JSON output'
vibe\t'Mistral Vibe, streaming output'
goose\t'goose, stream-json output of run'
pi\t'pi, --mode json or rpc'
cline\t'cline, --json'
grok\t'Grok CLI, streaming-json output'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand title-probe" -l format -d 'The format: the name alone, or the `session.title` event with its source' -r -f -a "text\t'For people'
json\t'JSON with stable keys, for programs'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand title-probe" -l parse -d 'Read the snippet\'s output from standard input, and print the name'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand title-probe" -l run -d 'Run the snippet here, and print the name'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand title-probe" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -s p -l protocol -d 'The dialect of raw streams; events that agentnorm wrote are recognized anyway' -r -f -a "auto\t'detect it from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output, and session files'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json or json output, and session files'
opencode\t'opencode and Kilo Code, json format of run'
droid\t'Factory Droid, stream-json output of exec'
copilot\t'GitHub Copilot CLI, --output-format json'
acp\t'Agent Client Protocol over stdio'
cursor\t'Cursor CLI, --output-format stream-json'
kimi\t'Kimi Code and Kimi CLI, stream-json output'
openhands\t'OpenHands CLI, headless JSON output'
vibe\t'Mistral Vibe, streaming output'
goose\t'goose, stream-json output of run'
pi\t'pi, --mode json or rpc'
cline\t'cline, --json'
grok\t'Grok CLI, streaming-json output'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -l max-line -d 'The longest line to read, in bytes; a longer one is not interpreted' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -l redact-env -d 'Also redact the values of these environment variables (repeatable; `*` and `?` match)' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -l redact-env-file -d 'Also redact the values of the variables in this `.env` file (repeatable)' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -l redact-rules -d 'Also redact by the rules in FILE: `name<TAB>regex`, `!name` (off), `ok<TAB>regex` (allow)' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -l redact-key -d 'Make equal secrets have equal placeholders in each run that is given this file' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -l format -d 'The format of the report' -r -f -a "text\t'For people'
json\t'JSON with stable keys, for programs'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -l strict -d 'Exit with 1 if anything was not mapped, or was malformed'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -l secrets -d 'List secrets instead, by file, line and kind, and exit with 1 if there are any'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand failures" -s p -l protocol -d 'The dialect of raw streams; events that agentnorm wrote are recognized anyway' -r -f -a "auto\t'detect it from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output, and session files'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json or json output, and session files'
opencode\t'opencode and Kilo Code, json format of run'
droid\t'Factory Droid, stream-json output of exec'
copilot\t'GitHub Copilot CLI, --output-format json'
acp\t'Agent Client Protocol over stdio'
cursor\t'Cursor CLI, --output-format stream-json'
kimi\t'Kimi Code and Kimi CLI, stream-json output'
openhands\t'OpenHands CLI, headless JSON output'
vibe\t'Mistral Vibe, streaming output'
goose\t'goose, stream-json output of run'
pi\t'pi, --mode json or rpc'
cline\t'cline, --json'
grok\t'Grok CLI, streaming-json output'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand failures" -l max-line -d 'The longest line to read, in bytes; a longer one is not interpreted' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand failures" -l lines -d 'How many of the last lines of a result are printed' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand failures" -l format -d 'The format of the report' -r -f -a "text\t'For people'
json\t'JSON with stable keys, for programs'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand failures" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -s p -l protocol -d 'The dialect of raw streams; events that agentnorm wrote are recognized anyway' -r -f -a "auto\t'detect it from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output, and session files'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json or json output, and session files'
opencode\t'opencode and Kilo Code, json format of run'
droid\t'Factory Droid, stream-json output of exec'
copilot\t'GitHub Copilot CLI, --output-format json'
acp\t'Agent Client Protocol over stdio'
cursor\t'Cursor CLI, --output-format stream-json'
kimi\t'Kimi Code and Kimi CLI, stream-json output'
openhands\t'OpenHands CLI, headless JSON output'
vibe\t'Mistral Vibe, streaming output'
goose\t'goose, stream-json output of run'
pi\t'pi, --mode json or rpc'
cline\t'cline, --json'
grok\t'Grok CLI, streaming-json output'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l max-line -d 'The longest line to read, in bytes; a longer one is not interpreted' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l format -d 'The format; by default `terminal` on a terminal or with forced colours, otherwise `plain`' -r -f -a "terminal\t'Colours, Markdown, folded results; on a terminal, text appears as it is written'
plain\t'One line per event, for logs and grep'
markdown\t'Markdown for the summary of a CI job'
html\t'One self-contained page for a browser'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set; everywhere if `CLICOLOR_FORCE` is set'
always\t'Always'
never\t'Never'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l max-bytes -d 'The most that `markdown` prints, in bytes; what comes last is kept' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l redact-env -d 'Also redact the values of these environment variables (repeatable; `*` and `?` match)' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l redact-env-file -d 'Also redact the values of the variables in this `.env` file (repeatable)' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l redact-rules -d 'Also redact by the rules in FILE: `name<TAB>regex`, `!name` (off), `ok<TAB>regex` (allow)' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l redact-key -d 'Make equal secrets have equal placeholders in each run that is given this file' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l stamp -d 'Give events whose line states no time the time when it was read'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l thinking -d 'Show thinking in full, not only its first line'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l full -d 'Show results and arguments in full, not folded'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l raw -d 'Also show what agentnorm did not map, and what the agent printed again'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l redact -d 'Replace secrets in each line, before anything else sees it'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -l to -d 'What to write' -r -f -a "otlp\t'OTLP/JSON traces, one line per session, in the words of OpenTelemetry\'s `gen_ai` conventions'
atif\t'Agent Trajectory documents, one line per session'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -s p -l protocol -d 'The dialect of raw streams; events that agentnorm wrote are recognized anyway' -r -f -a "auto\t'detect it from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output, and session files'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json or json output, and session files'
opencode\t'opencode and Kilo Code, json format of run'
droid\t'Factory Droid, stream-json output of exec'
copilot\t'GitHub Copilot CLI, --output-format json'
acp\t'Agent Client Protocol over stdio'
cursor\t'Cursor CLI, --output-format stream-json'
kimi\t'Kimi Code and Kimi CLI, stream-json output'
openhands\t'OpenHands CLI, headless JSON output'
vibe\t'Mistral Vibe, streaming output'
goose\t'goose, stream-json output of run'
pi\t'pi, --mode json or rpc'
cline\t'cline, --json'
grok\t'Grok CLI, streaming-json output'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -l max-line -d 'The longest line to read, in bytes; a longer one is not interpreted' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -l redact-env -d 'Also redact the values of these environment variables (repeatable; `*` and `?` match)' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -l redact-env-file -d 'Also redact the values of the variables in this `.env` file (repeatable)' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -l redact-rules -d 'Also redact by the rules in FILE: `name<TAB>regex`, `!name` (off), `ok<TAB>regex` (allow)' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -l redact-key -d 'Make equal secrets have equal placeholders in each run that is given this file' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -l trace-parent -d 'otlp: the span that the sessions are children of; by default the one that TRACEPARENT names' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -l service -d 'otlp: the name of the service; by default the agent\'s' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -l prompt -d 'atif: what the agent was asked, where its stream does not say it; `@FILE` reads it from FILE' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -l redact -d 'Replace secrets in each line, before anything else sees it'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -l content -d 'otlp: also write what was said, and the arguments and results of tools'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -l no-time -d 'otlp: write sessions that state no time, too, with their events 1 ms apart'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand help; and not __fish_seen_subcommand_from normalize wrap summarize title-probe check failures show export schema help" -f -a "normalize" -d 'Normalize files, each as a stream of its own'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand help; and not __fish_seen_subcommand_from normalize wrap summarize title-probe check failures show export schema help" -f -a "wrap" -d 'Run an agent and normalize what it prints'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand help; and not __fish_seen_subcommand_from normalize wrap summarize title-probe check failures show export schema help" -f -a "summarize" -d 'Report what sessions spent and did'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand help; and not __fish_seen_subcommand_from normalize wrap summarize title-probe check failures show export schema help" -f -a "title-probe" -d 'Find a session\'s name when its stream does not state it'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand help; and not __fish_seen_subcommand_from normalize wrap summarize title-probe check failures show export schema help" -f -a "check" -d 'Report how well agentnorm understands streams'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand help; and not __fish_seen_subcommand_from normalize wrap summarize title-probe check failures show export schema help" -f -a "failures" -d 'List the tool calls that failed'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand help; and not __fish_seen_subcommand_from normalize wrap summarize title-probe check failures show export schema help" -f -a "show" -d 'Show sessions for people to read, live'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand help; and not __fish_seen_subcommand_from normalize wrap summarize title-probe check failures show export schema help" -f -a "export" -d 'Export sessions to what other programs read: traces, trajectories'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand help; and not __fish_seen_subcommand_from normalize wrap summarize title-probe check failures show export schema help" -f -a "schema" -d 'Print the schema of the events'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand help; and not __fish_seen_subcommand_from normalize wrap summarize title-probe check failures show export schema help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
