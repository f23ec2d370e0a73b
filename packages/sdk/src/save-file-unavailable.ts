import { FramegateError } from './framegate-error.ts'

/** Where there are no files: browsers and edge runtimes. */
export async function saveFile(): Promise<void> {
  throw new FramegateError({
    code: 'files_unavailable',
    message: 'There are no files in this runtime: use blob() or stream() of the download.',
  })
}
