import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFolder } from '../../../tools/build/built-program.ts'
import type { Command, Outcome } from './run-commands.child.ts'

const program = fileURLToPath(new URL('./run-commands.child.ts', import.meta.url))

/** Runs one command after the other in a process of the built program. It ends with this process. */
class CommandProcess {
  readonly #child: ChildProcess
  #isBusy = false

  constructor() {
    this.#child = fork(program, [path.join(builtFolder, 'lib/main.js')], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child.unref()
    this.#child.channel?.unref()
  }

  get isFree(): boolean {
    return !this.#isBusy && this.#child.connected
  }

  async run(command: Command): Promise<Outcome> {
    this.#isBusy = true
    this.#child.ref()
    this.#child.channel?.ref()
    this.#child.send(command)
    const ended = once(this.#child, 'exit').then(([code, signal]) => {
      throw new Error(`the process of the commands ended with ${code ?? signal} during: framegate ${command.args.join(' ')}`)
    })
    const [outcome] = (await Promise.race([once(this.#child, 'message'), ended])) as [Outcome]
    this.#child.unref()
    this.#child.channel?.unref()
    this.#isBusy = false
    return outcome
  }
}

let shared: CommandProcess | undefined

/**
 * Runs a command in a process that earlier commands have used, without the start of a process, which
 * takes most of the CPU time of a short command. Null if another command is running there.
 */
export function runInCommandProcess(command: Command): Promise<Outcome> | null {
  shared ??= new CommandProcess()
  return shared.isFree ? shared.run(command) : null
}
