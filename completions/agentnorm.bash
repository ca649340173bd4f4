_agentnorm() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="agentnorm"
                ;;
            agentnorm,check)
                cmd="agentnorm__subcmd__check"
                ;;
            agentnorm,export)
                cmd="agentnorm__subcmd__export"
                ;;
            agentnorm,failures)
                cmd="agentnorm__subcmd__failures"
                ;;
            agentnorm,help)
                cmd="agentnorm__subcmd__help"
                ;;
            agentnorm,normalize)
                cmd="agentnorm__subcmd__normalize"
                ;;
            agentnorm,schema)
                cmd="agentnorm__subcmd__schema"
                ;;
            agentnorm,show)
                cmd="agentnorm__subcmd__show"
                ;;
            agentnorm,summarize)
                cmd="agentnorm__subcmd__summarize"
                ;;
            agentnorm,title-probe)
                cmd="agentnorm__subcmd__title__subcmd__probe"
                ;;
            agentnorm,wrap)
                cmd="agentnorm__subcmd__wrap"
                ;;
            agentnorm__subcmd__help,check)
                cmd="agentnorm__subcmd__help__subcmd__check"
                ;;
            agentnorm__subcmd__help,export)
                cmd="agentnorm__subcmd__help__subcmd__export"
                ;;
            agentnorm__subcmd__help,failures)
                cmd="agentnorm__subcmd__help__subcmd__failures"
                ;;
            agentnorm__subcmd__help,help)
                cmd="agentnorm__subcmd__help__subcmd__help"
                ;;
            agentnorm__subcmd__help,normalize)
                cmd="agentnorm__subcmd__help__subcmd__normalize"
                ;;
            agentnorm__subcmd__help,schema)
                cmd="agentnorm__subcmd__help__subcmd__schema"
                ;;
            agentnorm__subcmd__help,show)
                cmd="agentnorm__subcmd__help__subcmd__show"
                ;;
            agentnorm__subcmd__help,summarize)
                cmd="agentnorm__subcmd__help__subcmd__summarize"
                ;;
            agentnorm__subcmd__help,title-probe)
                cmd="agentnorm__subcmd__help__subcmd__title__subcmd__probe"
                ;;
            agentnorm__subcmd__help,wrap)
                cmd="agentnorm__subcmd__help__subcmd__wrap"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        agentnorm)
            opts="-p -o -e -h -V --protocol --clip --max-line --no-deltas --stamp --redact --redact-env --redact-env-file --redact-rules --redact-key --budget --no-source --output --tee --show --exit-status --help --version normalize wrap summarize title-probe check failures show export schema help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --protocol)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                --clip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-line)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-env)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-env-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-rules)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-key)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tee)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --show)
                    COMPREPLY=($(compgen -W "terminal plain markdown html" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__check)
            opts="-p -h --protocol --max-line --strict --secrets --redact-env --redact-env-file --redact-rules --redact-key --format --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --protocol)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                --max-line)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-env)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-env-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-rules)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-key)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__export)
            opts="-p -h --to --protocol --max-line --redact --redact-env --redact-env-file --redact-rules --redact-key --content --trace-parent --service --no-time --prompt --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --to)
                    COMPREPLY=($(compgen -W "otlp atif" -- "${cur}"))
                    return 0
                    ;;
                --protocol)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                --max-line)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-env)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-env-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-rules)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-key)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --trace-parent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --service)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --prompt)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__failures)
            opts="-p -h --protocol --max-line --lines --format --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --protocol)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                --max-line)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lines)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__help)
            opts="normalize wrap summarize title-probe check failures show export schema help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__help__subcmd__check)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__help__subcmd__export)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__help__subcmd__failures)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__help__subcmd__help)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__help__subcmd__normalize)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__help__subcmd__schema)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__help__subcmd__show)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__help__subcmd__summarize)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__help__subcmd__title__subcmd__probe)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__help__subcmd__wrap)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__normalize)
            opts="-p -o -e -H -h --protocol --clip --max-line --no-deltas --stamp --redact --redact-env --redact-env-file --redact-rules --redact-key --budget --no-source --output --tee --show --exit-status --with-filename --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --protocol)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                --clip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-line)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-env)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-env-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-rules)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-key)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tee)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --show)
                    COMPREPLY=($(compgen -W "terminal plain markdown html" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__schema)
            opts="-h --help json typescript"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__show)
            opts="-p -h --protocol --max-line --stamp --format --color --thinking --full --raw --max-bytes --redact --redact-env --redact-env-file --redact-rules --redact-key --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --protocol)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                --max-line)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "terminal plain markdown html" -- "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --max-bytes)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-env)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-env-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-rules)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-key)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__summarize)
            opts="-p -e -h --protocol --max-line --format --details --by --since --until --sort --top --utc --exit-status --dedupe --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --protocol)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                --max-line)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "text json markdown csv tsv env" -- "${cur}"))
                    return 0
                    ;;
                --by)
                    COMPREPLY=($(compgen -W "day week month harness model cwd session file" -- "${cur}"))
                    return 0
                    ;;
                --since)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --until)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --sort)
                    COMPREPLY=($(compgen -W "start cost tokens turns duration" -- "${cur}"))
                    return 0
                    ;;
                --top)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__title__subcmd__probe)
            opts="-p -h --protocol --parse --run --format --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --protocol)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        agentnorm__subcmd__wrap)
            opts="-p -o -e -h --protocol --clip --max-line --no-deltas --stamp --redact --redact-env --redact-env-file --redact-rules --redact-key --budget --no-source --output --tee --show --exit-status --dry-run --kill-after --linger --timeout --idle-timeout --tool-timeout --max-turns --max-tokens --max-cost --max-repeats --heartbeat --rate-limit-status --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --protocol)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "auto agentnorm none jsonl claude-json claude-stream qwen amp codex gemini opencode droid copilot acp cursor kimi openhands vibe goose pi cline grok" -- "${cur}"))
                    return 0
                    ;;
                --clip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-line)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-env)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-env-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-rules)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --redact-key)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tee)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --show)
                    COMPREPLY=($(compgen -W "terminal plain markdown html" -- "${cur}"))
                    return 0
                    ;;
                --kill-after)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --linger)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --timeout)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --idle-timeout)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tool-timeout)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-turns)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-tokens)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-cost)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-repeats)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --heartbeat)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --rate-limit-status)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _agentnorm -o nosort -o bashdefault -o default agentnorm
else
    complete -F _agentnorm -o bashdefault -o default agentnorm
fi
