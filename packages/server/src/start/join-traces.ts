import type { Config } from '../config/config.ts'
import type { Logger } from '../lib/logger.ts'
import { joinTelemetry, type Telemetry } from '../telemetry/telemetry.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** Loads the code for traces only when they are enabled. */
export async function joinTraces(
  opened: AsyncDisposableStack,
  metrics: Telemetry,
  config: Config['traces'],
  logger: Logger,
): Promise<Telemetry> {
  if (config === null) return metrics
  const { createTraces } = await import('../telemetry/traces.ts')
  return joinTelemetry(metrics, opened.use(createTraces(config, packageJson.version, logger)))
}
