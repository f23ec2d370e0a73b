import { openAssets, type Assets } from '../assets/assets.ts'
import { createInspectFile } from '../assets/inspect-file.ts'
import type { Config } from '../config/config.ts'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'
import type { FetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import type { Logger } from '../lib/logger.ts'
import { createDecodeImageFile, type DecodeImageFile } from '../media/decode-image-file.ts'
import { DecoderPool } from '../media/decoder/decoder-pool.ts'
import type { MediaStore } from '../media/media-store.ts'
import { PreviewEncoders } from '../media/previews/preview-encoder.ts'
import { createInputProbers } from '../media/prober/input-probers.ts'
import { ProberPool, type ProbeInput, type ProbeUntrusted } from '../media/prober/prober-pool.ts'
import { Previews } from '../previews/previews.ts'
import { openMediaStore } from './open-media-store.ts'

export interface FilesDependencies {
  config: Config
  store: Store
  fetchUntrusted: FetchUntrusted
  scratchDir: string
  clock: Clock
  /** Clock for expiry and removal (see `ExpiryClock`). */
  expiryClock: Clock
  logger: Logger
}

/** Stored files, and the child processes that check and decode files. */
export interface Files {
  mediaStore: MediaStore
  assets: Assets
  previews: Previews
  decoders: DecoderPool
  decodeImageFile: DecodeImageFile
  /** Probes input videos and sounds. */
  probeInput: ProbeInput
  /** Probes results of upstreams. */
  probeUntrustedFile: ProbeUntrusted
}

/** Opens the media store, the assets of accounts and the previews of results. */
export async function openFiles(disposables: AsyncDisposableStack, dependencies: FilesDependencies): Promise<Files> {
  const { config, store, fetchUntrusted, scratchDir, clock, expiryClock, logger } = dependencies
  const mediaStore = await openMediaStore(config, disposables)
  const decoders = disposables.use(new DecoderPool({ log: logger }))
  const decodeImageFile = createDecodeImageFile(decoders)
  const { probeInput } = disposables.use(createInputProbers(logger))
  const assets = await openAssets({
    database: store.database,
    mediaStore,
    fetchUntrusted,
    inspectFile: createInspectFile({ decodeImageFile, probeInput }),
    scratchDir,
    quota: config.assets,
    clock,
    expiryClock,
  })
  const { probe: probeUntrustedFile } = disposables.use(new ProberPool({ log: logger }))
  const encoders = disposables.use(new PreviewEncoders(logger))
  const previews = disposables.use(
    await Previews.open({ store, mediaStore, encoders, probeUntrustedFile, scratchDir, clock, logger }),
  )
  return { mediaStore, assets, previews, decoders, decodeImageFile, probeInput, probeUntrustedFile }
}
