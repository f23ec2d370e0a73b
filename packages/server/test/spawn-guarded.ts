import { spawn, type ChildProcess } from 'node:child_process'

/**
 * Starts a server for tests as a child of a shell. When the tests end, even in a crash, the pipe to
 * the shell closes, and the shell kills the server. Ctrl-C on the terminal does not reach the
 * server.
 */
export function spawnGuarded(command: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const script = '"$@" & pid=$!; read -r _; kill -9 $pid; wait $pid 2>/dev/null'
  return spawn('/bin/sh', ['-c', script, 'sh', ...command], { env, stdio: ['pipe', 'ignore', 'inherit'], detached: true })
}
