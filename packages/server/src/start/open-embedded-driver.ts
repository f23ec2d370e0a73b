import type { Config } from '../config/config.ts'
import type { OperationChanged } from '../drivers/driver.ts'
import { createEmbeddedDriver } from '../drivers/embedded/embedded-driver.ts'
import { createSimulatedDriver } from '../drivers/simulation/simulated-driver.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { OpenSound, OpenVideo } from '../drivers/embedded/opened-video.ts'
import type { ReadImage } from '../drivers/embedded/render.ts'
import { hasVideoDecoder } from '../media/video-frames/ffmpeg-decoder.ts'
import type { RoutesDependencies } from '../routing/routes.ts'

/**
 * Number of tasks that share a render slot. While one task renders, the other task reads its images
 * or stores its result.
 */
const tasksPerSlot = 2

export interface EmbeddedDependencies {
  config: Config
  clock: Clock
  logger: Logger
  onChanged: OperationChanged
  readImage: ReadImage
  openVideo: OpenVideo
  openSound: OpenSound
}

/** Opens the embedded driver (the built-in renderer), wrapped in a driver that runs simulations. */
export async function openEmbeddedDriver(
  disposables: AsyncDisposableStack,
  dependencies: EmbeddedDependencies,
): Promise<RoutesDependencies['embedded']> {
  const { config, clock, logger, onChanged, readImage, openVideo, openSound } = dependencies
  const embeddedDriver = disposables.use(
    createEmbeddedDriver({
      dataDir: config.dataDir,
      readImage,
      openVideo,
      openSound,
      hasVideoDecoder,
      onChanged,
      slots: config.embedded.slots,
      onError: (attempt, error) => logger.error({ attempt, error }, 'a render failed'),
    }),
  )
  const driver = createSimulatedDriver({ driver: embeddedDriver, clock, onChanged })
  return { driver, inFlightMax: tasksPerSlot * embeddedDriver.slots, refuse: embeddedDriver.refuse }
}
