import { openFilesMax } from '../lib/open-files-max.ts'
import { StartupError } from '../lib/startup-error.ts'

/** After one task of the embedded driver, an idle service has 56 open files and connections. */
const openFilesMin = 64

/** Throws a `StartupError` if the system permits too few open files for any task. */
export function requireOpenFiles(): void {
  const max = openFilesMax()
  if (max >= openFilesMin) return
  throw new StartupError(
    `The system permits only ${max} open files and connections of this process. Raise the limit (ulimit -n) to at least ` +
      `${openFilesMin}, or to several thousand for many clients.`,
  )
}
