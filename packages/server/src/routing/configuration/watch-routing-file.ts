import { fileStamp } from '../../config/file-stamp.ts'
import { readRoutingFile, type RoutingFile } from '../../config/routing-file.ts'
import { ConfigError } from '../../config/config-error.ts'
import { readChangedModels } from '../../config/model-files.ts'
import { modelStampsOf, watchModelsFolder } from '../../config/watch-models-folder.ts'
import { readSmallFile } from '../../config/yaml-text.ts'
import type { Logger } from '../../lib/logger.ts'

const defaultCheckIntervalMs = 500

export interface RoutingWatchDependencies {
  /**
   * Uses a changed file. If the file cannot be used, throws a `ConfigError`, and the routing in use
   * stays.
   */
  load: (file: RoutingFile) => Promise<void>
  logger: Logger
  checkIntervalMs?: number
}

/**
 * Applies changed upstreams, routes and models when the routing file or the folder `models` next to
 * it changes. Other settings of the file take effect at the next start.
 */
export function watchRoutingFile(
  file: RoutingFile,
  { load, logger, checkIntervalMs = defaultCheckIntervalMs }: RoutingWatchDependencies,
): AsyncDisposable {
  const { path, label, baseDir } = file
  if (path === null) return { async [Symbol.asyncDispose]() {} }
  // A stamp (`fileStamp`) changes with its file. The stamps of the model files were taken when the
  // files were read, so a change since then is detected.
  const initialStamps = modelStampsOf(
    file.models.flatMap((modelFile) => (modelFile.stamp === undefined ? [] : [[modelFile.label, modelFile.stamp] as const])),
  )
  const watchedModels = watchModelsFolder(baseDir, initialStamps)
  let { models } = file
  /** Stamp of the files that are in use, or that were found invalid. */
  let handledStamp = `${file.stamp}\n${initialStamps.text}`
  let seenStamp = handledStamp
  /**
   * Stamp for which a load failed for a reason other than the content of the files. The error was
   * logged once for this stamp.
   */
  let failedStamp: string | null = null
  let currentCheck: Promise<void> | null = null

  async function check(watchedPath: string): Promise<void> {
    const stamps = await watchedModels.check()
    const stamp = `${fileStamp(watchedPath)}\n${stamps.text}`
    // A file may be half-written. The files are therefore read only after two consecutive checks
    // have found the same stamp.
    const isUnchanged = stamp === seenStamp
    seenStamp = stamp
    if (!isUnchanged || stamp === handledStamp) return
    try {
      const violations: string[] = []
      const text = readSmallFile(watchedPath, label, violations)
      const previousModels = await readChangedModels(baseDir, { files: models, stamps: stamps.byName })
      const source = { env: process.env, label, path: watchedPath, baseDir, previousModels }
      const changedFile = text === undefined ? undefined : readRoutingFile(text, source, violations)
      if (changedFile !== undefined && changedFile.path !== null) models = changedFile.models
      if (changedFile === undefined || violations.length > 0) throw new ConfigError(violations)
      await load(changedFile)
      handledStamp = stamp
      logger.info(`${label} has changed; its upstreams, routes and models are now in use`)
    } catch (error) {
      if (error instanceof ConfigError) {
        handledStamp = stamp
        logger.error(
          { violations: error.violations },
          `${label} has changed and cannot be used; the previous upstreams, routes and models stay in use`,
        )
      } else if (failedStamp !== stamp) {
        failedStamp = stamp
        logger.warn({ err: error }, `${label} has changed and could not be loaded; this will be retried`)
      }
    }
  }

  const timer = setInterval(() => {
    currentCheck ??= check(path)
      .catch((err: unknown) =>
        logger.error({ err }, `${label} cannot be checked for changes; the previous upstreams, routes and models stay in use`),
      )
      .finally(() => {
        currentCheck = null
      })
  }, checkIntervalMs)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await currentCheck
      watchedModels[Symbol.dispose]()
    },
  }
}
