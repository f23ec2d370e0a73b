import { FramegateError } from './framegate-error.ts'

/** Replaces `save-file.ts` in runtimes without a file system: browsers and edge runtimes. */
export async function saveFile(): Promise<void> {
  throw new FramegateError({
    code: 'files_unavailable',
    message: 'There are no files in this runtime: use blob() or stream() of the download.',
  })
}
