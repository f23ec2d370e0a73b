import { spawn, type ChildProcess } from 'node:child_process'

/**
 * A server of the tests' own, below a shell: however the tests end, the pipe to the shell closes, and it kills the server. Ctrl-C at the terminal is
 * not for it.
 */
export function spawnGuarded(command: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const script = '"$@" & pid=$!; read -r _; kill -9 $pid; wait $pid 2>/dev/null'
  return spawn('/bin/sh', ['-c', script, 'sh', ...command], { env, stdio: ['pipe', 'ignore', 'inherit'], detached: true })
}
