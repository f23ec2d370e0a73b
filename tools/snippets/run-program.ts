import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface ProgramOptions {
  cwd: string
  env: Record<string, string>
}

const runMsMax = 100_000

/**
 * Runs a program to completion and returns its output on stdout. If it fails, throws an error with
 * all of its output.
 */
export async function runProgram(program: string, args: string[], { cwd, env }: ProgramOptions): Promise<string> {
  // Starts a new process group, so that processes started by a shell are killed too.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), runMsMax)
  const [code, signal] = await once(child, 'close').finally(() => clearTimeout(timer))
  if (code === 0) return stdout
  throw new Error(`the program ended with ${String(code ?? signal)}:\n${stdout}\n${stderr}`)
}
