/** The program that marks one file: `marker-child.ts image|video FROM TO`. It says on stderr what went wrong. */

// Who stops the service stops its group; what is begun is ended by its parent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// A service that was killed can tell nobody, but its end of the pipe closes.
process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL')).resume()

const [, , object, from = '', to = ''] = process.argv
try {
  if (object === 'image') await (await import('./mark-picture.ts')).markPicture(from, to)
  else await (await import('./mark-film.ts')).markFilm(from, to)
  process.exit(0)
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error), () => process.exit(1))
}
