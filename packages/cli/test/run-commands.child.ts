import { Readable, Writable } from 'node:stream'
import type { main as runMain } from '../src/main.ts'

/** A command, with all inputs that it reads from its process. */
export interface Command {
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** Contents of stdin. */
  input: string
}

export interface Outcome {
  exitCode: number | null
  stdout: string
  stderr: string
}

/** Collects everything that is written to it. */
class Output extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

const [, , mainFile = ''] = process.argv
const { main } = (await import(mainFile)) as { main: typeof runMain }
const end = process.exit.bind(process)

async function run({ args, cwd, env, input }: Command): Promise<Outcome> {
  const [stdout, stderr] = [new Output(), new Output()]
  for (const [name, value] of Object.entries({ env: { ...env }, stdin: Readable.from([input]), stdout, stderr }))
    Object.defineProperty(process, name, { value, configurable: true })
  process.chdir(cwd)
  const exitCode = await main([...args])
  return { exitCode, stdout: stdout.text, stderr: stderr.text }
}

// A command schedules an exit some seconds after its end, which would end the next command here.
process.exit = (() => undefined) as typeof process.exit
process.on('disconnect', () => end())
// Lets the process exit while its IPC channel is open.
setInterval(() => undefined, 1_000_000)
process.on('message', (command: Command) => {
  void run(command).then((outcome) => process.send?.(outcome))
})
