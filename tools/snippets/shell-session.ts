import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runProgram, type ProgramOptions } from './run-program.ts'

/**
 * A shell that runs blocks one after another, like a reader's terminal: variables, functions and
 * the working directory persist.
 */
export interface ShellSession {
  run(script: string): Promise<string>
}

/** Starts a session in `cwd`. It stores its own files in `folder`, which is not below `cwd`. */
export function startShellSession(folder: string, { cwd, env }: ProgramOptions): ShellSession {
  mkdirSync(folder, { recursive: true })
  const state = path.join(folder, 'state.sh')
  const block = path.join(folder, 'block.sh')
  const saveState = `{ export -p; declare -f; printf 'cd %q\\n' "$PWD"; } > '${state}'`
  return {
    run(script) {
      // Exports every variable, so that the next block has it.
      const restoreState = existsSync(state) ? `source '${state}'` : ''
      writeFileSync(block, `set -a -euo pipefail\n${restoreState}\n${script}\n${saveState}\n`)
      return runProgram('bash', [block], { cwd, env })
    },
  }
}
