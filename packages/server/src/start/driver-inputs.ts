import { createAssetsForDrivers, type AssetsForDrivers } from '../assets/assets-for-drivers.ts'
import type { Store } from '../db/store.ts'
import type { OpenSound, OpenVideo } from '../drivers/embedded/opened-video.ts'
import type { Clock } from '../lib/clock.ts'
import type { FetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import { createReadImage, type ReadImage } from '../media/read-image.ts'
import type { UrlSigner } from '../media/sign-url.ts'
import { createOpenInputSound } from '../media/video-frames/open-input-sound.ts'
import { createOpenInputVideo } from '../media/video-frames/open-input-video.ts'
import type { Files } from './open-files.ts'

export interface DriverInputsDependencies {
  store: Store
  files: Files
  fetchUntrusted: FetchUntrusted
  signer: UrlSigner
  /** Whether upstreams can reach links of this service. */
  isReachable: boolean
  scratchDir: string
  clock: Clock
}

/** Access of the drivers to the files that a request names. */
export interface DriverInputs {
  assets: AssetsForDrivers
  readImage: ReadImage
  openVideo: OpenVideo
  openSound: OpenSound
}

export function createDriverInputs(dependencies: DriverInputsDependencies): DriverInputs {
  const { store, files, fetchUntrusted, signer, isReachable, scratchDir, clock } = dependencies
  const { mediaStore, decoders, decodeImageFile, probeInput } = files
  const assets = createAssetsForDrivers({ database: store.database, mediaStore, signer, isReachable, clock })
  const inputFiles = { fetchUntrusted, openAssetFile: (id: string) => assets.openFile(id), probeInput, scratchDir }
  return {
    assets,
    readImage: createReadImage({ fetchUntrusted, decoders, readAssetFile: (id) => assets.readFile(id) }),
    openVideo: createOpenInputVideo({ ...inputFiles, decodeImageFile }),
    openSound: createOpenInputSound(inputFiles),
  }
}
