import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { builtLauncher } from '../../../tools/build/built-program.ts'
import { runInCommandProcess } from './command-process.ts'
import type { Outcome } from './run-commands.child.ts'

export type { Outcome }

export interface RunningCommand {
  child: ChildProcess
  /** Output so far. */
  stdout(): string
  stderr(): string
  /** Resolves when the process ends. */
  ended: Promise<Outcome>
}

export interface RunOptions {
  cwd: string
  env?: Record<string, string>
  /** Node executable. Default: the one that runs this process. */
  node?: string
  /** Entry point. Default: that of the built program. */
  launcher?: string
  /** Contents of stdin. Default: empty. */
  input?: string
}

/**
 * Starts the command line as a user would, with piped output and without this machine's settings.
 */
export function startFramegate(
  args: string[],
  { cwd, env = {}, node = process.execPath, launcher = builtLauncher, input = '' }: RunOptions,
): RunningCommand {
  const child = spawn(node, [launcher, ...args], {
    cwd,
    env: environmentOf(cwd, env),
  })
  // A command that does not read its input may have exited already.
  child.stdin.on('error', () => {}).end(input)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const exited = once(child, 'close').then(([exitCode]) => ({ exitCode: exitCode as number | null, stdout, stderr }))
  return { child, stdout: () => stdout, stderr: () => stderr, ended: exited }
}

/** Runs a command in a new process. */
export async function runFramegate(args: string[], options: RunOptions): Promise<Outcome> {
  return startFramegate(args, options).ended
}

/**
 * Runs a command in the reused process if that is idle. For tests that only observe output, exit
 * code, and effects on a service or on files.
 */
export async function runCommand(
  args: string[],
  { cwd, env = {}, input = '' }: Pick<RunOptions, 'cwd' | 'env' | 'input'>,
): Promise<Outcome> {
  return runInCommandProcess({ args, cwd, env: environmentOf(cwd, env), input }) ?? runFramegate(args, { cwd, env, input })
}

function environmentOf(cwd: string, env: Record<string, string>): Record<string, string> {
  // Sets `MALLOC_MMAP_THRESHOLD_` in advance; otherwise the launcher restarts itself to set it.
  return { PATH: process.env['PATH'] ?? '', HOME: cwd, MALLOC_MMAP_THRESHOLD_: '131072', ...env }
}

const detectionMsMax = 15_000

/** Waits until `find` returns a value for the output of a running command. */
export async function waitFor<T>(command: RunningCommand, find: () => T | null | undefined | false): Promise<T> {
  const deadlineMs = performance.now() + detectionMsMax
  for (;;) {
    const value = find()
    if (value) return value
    if (command.child.exitCode !== null || command.child.signalCode !== null) {
      const { exitCode, stdout, stderr } = await command.ended
      const last = find()
      if (last) return last
      throw new Error(`framegate exited with code ${exitCode} before the expected output appeared:\n${stdout}\n${stderr}`)
    }
    if (performance.now() > deadlineMs) {
      const output = `${command.stdout()}\n${command.stderr()}`
      throw new Error(`timed out after ${detectionMsMax} ms waiting for the expected output of framegate:\n${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
