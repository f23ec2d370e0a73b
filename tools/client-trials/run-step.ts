import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const stepMsMax = 15 * 60_000

/**
 * Runs a program to completion, and returns its output on stdout and stderr. If it fails, or takes
 * longer than `stepMsMax`, throws an error with the output.
 */
export async function runStep(
  folder: string,
  environment: Record<string, string>,
  command: string,
  args: string[],
): Promise<string> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: stepMsMax,
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${[path.basename(command), ...args].join(' ')} ended with ${code}:\n${log}`)
  return log
}
