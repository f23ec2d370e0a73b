import { FramegateError } from './framegate-error.ts'

/** Replaces `save-file.ts` in runtimes without a file system: browsers and edge runtimes. */
export async function saveFile(): Promise<void> {
  throw new FramegateError({
    code: 'files_unavailable',
    message: 'This runtime has no files. Use blob() or stream() of the download.',
  })
}
