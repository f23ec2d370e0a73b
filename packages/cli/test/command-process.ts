import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFolder } from '../../../tools/build/built-program.ts'
import type { Command, Outcome } from './run-commands.child.ts'

const program = fileURLToPath(new URL('./run-commands.child.ts', import.meta.url))

/**
 * Runs commands one after the other in a process of the built program, which exits with this
 * process.
 */
class CommandProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #isBusy = false

  constructor() {
    this.#child = fork(program, [path.join(builtFolder, 'lib/main.js')], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#ended = once(this.#child, 'exit')
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
    const received = once(this.#child, 'message')
    this.#child.send(command)
    await Promise.race([received, this.#ended])
    if (!this.#child.connected) throw new Error(`the process of the commands ended during: framegate ${command.args.join(' ')}`)
    const [outcome] = (await received) as [Outcome]
    this.#child.unref()
    this.#child.channel?.unref()
    this.#isBusy = false
    return outcome
  }
}

let shared: CommandProcess | undefined

/**
 * Runs a command in a reused process, because starting one takes most of the CPU time of a short
 * command. Returns null if another command is running there.
 */
export function runInCommandProcess(command: Command): Promise<Outcome> | null {
  shared ??= new CommandProcess()
  return shared.isFree ? shared.run(command) : null
}
