# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_agentnorm_global_optspecs
    string join \n p/protocol= clip= max-line= no-deltas stamp budget= no-source o/output= tee= show= e/exit-status h/help V/version
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

complete -c agentnorm -n "__fish_agentnorm_needs_command" -s p -l protocol -d 'The dialect of the input; it is found out (auto) where nothing says it' -r -f -a "auto\t'find out from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json output, and session files'
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
cline\t'cline, --json'"
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l clip -d 'Characters per text field; 0 for no limit' -r
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l max-line -d 'The longest line in bytes; a longer one becomes one clipped `raw` event' -r
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l budget -d 'At most N events; one more says how many lines were not normalized' -r
complete -c agentnorm -n "__fish_agentnorm_needs_command" -s o -l output -d 'Write there instead of to standard output, which `-` is' -r -F
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l tee -d 'Also write the input, byte for byte, to FILE; goes on when standard output is closed' -r -F
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l show -d 'Show the session on standard output, as `agentnorm show` does, while the events go to -o' -r -f -a "terminal\t'Colours, Markdown, folded results; on a terminal, text appears as it comes'
plain\t'One line an event, for logs and for grep'
markdown\t'For the summary of a CI job'
html\t'One self-contained page for a browser'"
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l no-deltas -d 'Leave out partial text and the lines that only a partial stream has'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l stamp -d 'Give events whose line states no time the time of reading'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -l no-source -d 'Leave the lines out of the records'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -s e -l exit-status -d 'Exit with 1 unless the session succeeded'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -s V -l version -d 'Print version'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "normalize" -d 'Normalize files, each as a stream of its own'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "wrap" -d 'Run an agent and normalize what it prints'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "summarize" -d 'Say what sessions spent and did'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "title-probe" -d 'Find a session\'s name where its stream does not state it'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "check" -d 'Say how well streams are understood'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "show" -d 'Show sessions as a person reads them, live'
complete -c agentnorm -n "__fish_agentnorm_needs_command" -f -a "schema" -d 'Print the schema of the records'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -s p -l protocol -d 'The dialect of the input; it is found out (auto) where nothing says it' -r -f -a "auto\t'find out from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json output, and session files'
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
cline\t'cline, --json'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l clip -d 'Characters per text field; 0 for no limit' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l max-line -d 'The longest line in bytes; a longer one becomes one clipped `raw` event' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l budget -d 'At most N events; one more says how many lines were not normalized' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -s o -l output -d 'Write there instead of to standard output, which `-` is' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l tee -d 'Also write the input, byte for byte, to FILE; goes on when standard output is closed' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l show -d 'Show the session on standard output, as `agentnorm show` does, while the events go to -o' -r -f -a "terminal\t'Colours, Markdown, folded results; on a terminal, text appears as it comes'
plain\t'One line an event, for logs and for grep'
markdown\t'For the summary of a CI job'
html\t'One self-contained page for a browser'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l no-deltas -d 'Leave out partial text and the lines that only a partial stream has'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l stamp -d 'Give events whose line states no time the time of reading'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -l no-source -d 'Leave the lines out of the records'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -s e -l exit-status -d 'Exit with 1 unless the session succeeded'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand normalize" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -s p -l protocol -d 'The dialect of the input; it is found out (auto) where nothing says it' -r -f -a "auto\t'find out from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json output, and session files'
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
cline\t'cline, --json'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l clip -d 'Characters per text field; 0 for no limit' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l max-line -d 'The longest line in bytes; a longer one becomes one clipped `raw` event' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l budget -d 'At most N events; one more says how many lines were not normalized' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -s o -l output -d 'Write there instead of to standard output, which `-` is' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l tee -d 'Also write the input, byte for byte, to FILE; goes on when standard output is closed' -r -F
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l show -d 'Show the session on standard output, as `agentnorm show` does, while the events go to -o' -r -f -a "terminal\t'Colours, Markdown, folded results; on a terminal, text appears as it comes'
plain\t'One line an event, for logs and for grep'
markdown\t'For the summary of a CI job'
html\t'One self-contained page for a browser'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l kill-after -d 'After a signal, kill what has not ended by then (500ms, 10s, 2m; plain: seconds)' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l linger -d 'End a command that stays silent that long behind its end and has no background work' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l no-deltas -d 'Leave out partial text and the lines that only a partial stream has'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l stamp -d 'Give events whose line states no time the time of reading'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l no-source -d 'Leave the lines out of the records'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -s e -l exit-status -d 'Exit with 1 unless the session succeeded'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -l dry-run -d 'Print the command as it would be run, and run nothing'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand wrap" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -s p -l protocol -d 'The dialect of raw streams; events that agentnorm wrote are known by their shape' -r -f -a "auto\t'find out from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json output, and session files'
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
cline\t'cline, --json'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l max-line -d 'The longest line in bytes; nothing is read off a longer one' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l format -d 'How the recap is printed' -r -f -a "text\t'An aligned table'
json\t'One object; its keys are stable'
markdown\t'A table for the summary of a CI job'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -s e -l exit-status -d 'Exit with 1 unless each stream\'s session succeeded'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -l dedupe -d 'Leave out what comes a second time, such as the same file'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand summarize" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand title-probe" -s p -l protocol -d 'The dialect; `auto` looks in every place that is known' -r -f -a "auto\t'find out from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json output, and session files'
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
cline\t'cline, --json'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand title-probe" -l format -d 'How the name is printed: alone, or as the `session.title` event with its source' -r -f -a "text\t'For people'
json\t'For programs; the keys are stable'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand title-probe" -l parse -d 'Read the snippet\'s output from standard input and print the name'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand title-probe" -l run -d 'Run the snippet here and print the name'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand title-probe" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -s p -l protocol -d 'The dialect of raw streams; events that agentnorm wrote are known by their shape' -r -f -a "auto\t'find out from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json output, and session files'
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
cline\t'cline, --json'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -l max-line -d 'The longest line in bytes; nothing is read off a longer one' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -l format -d 'How the report is printed' -r -f -a "text\t'For people'
json\t'For programs; the keys are stable'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -l strict -d 'Exit with 1 when anything was not mapped or malformed'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -s p -l protocol -d 'The dialect of raw streams; events that agentnorm wrote are known by their shape' -r -f -a "auto\t'find out from the first line whose structure only one dialect has'
agentnorm\t'agentnorm\'s own output, read again from the source of each line'
none\t'every line is text'
jsonl\t'the harness speaks this vocabulary itself'
claude-json\t'Claude Code, stream-json or json output'
claude-stream\t'Claude Code, stream-json output and input'
qwen\t'qwen-code, stream-json or json output'
amp\t'amp, --stream-json output'
codex\t'Codex CLI, exec --json, and session files'
gemini\t'Gemini CLI, stream-json output, and session files'
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
cline\t'cline, --json'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l max-line -d 'The longest line in bytes; nothing is read off a longer one' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l format -d 'The form; `terminal` on a terminal or where colour is forced, else `plain`' -r -f -a "terminal\t'Colours, Markdown, folded results; on a terminal, text appears as it comes'
plain\t'One line an event, for logs and for grep'
markdown\t'For the summary of a CI job'
html\t'One self-contained page for a browser'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l color -d 'Whether colours are used' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set; anywhere if `CLICOLOR_FORCE` is'
always\t'Always'
never\t'Never'"
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l max-bytes -d 'The most that `markdown` prints, in bytes; the end is kept' -r
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l thinking -d 'Thinking in full, not its first line only'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l full -d 'Results and arguments in full, not folded'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -l raw -d 'Also what agentnorm did not map, and what was printed again'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c agentnorm -n "__fish_agentnorm_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
