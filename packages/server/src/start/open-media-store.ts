import path from 'node:path'
import type { Config } from '../config/config.ts'
import { openDiskMediaStore } from '../media/disk-media-store.ts'
import type { MediaStore } from '../media/media-store.ts'

/** Opens the configured media store. The S3 client is large, so it is loaded only if it is used. */
export async function openMediaStore(
  { media, dataDir }: Pick<Config, 'media' | 'dataDir'>,
  disposables: AsyncDisposableStack,
): Promise<MediaStore> {
  if (media.kind === 'disk') return await openDiskMediaStore(path.join(dataDir, 'media'))
  const { openS3MediaStore } = await import('../media/s3/s3-media-store.ts')
  return disposables.use(await openS3MediaStore(media))
}
