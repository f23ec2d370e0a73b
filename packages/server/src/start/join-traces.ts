import type { Config } from '../config/config.ts'
import type { Logger } from '../lib/logger.ts'
import { joinTelemetry, type Telemetry } from '../telemetry/telemetry.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** Adds traces to the telemetry. Their code is loaded only if they are enabled. */
export async function joinTraces(
  disposables: AsyncDisposableStack,
  metrics: Telemetry,
  config: Config['traces'],
  logger: Logger,
): Promise<Telemetry> {
  if (config === null) return metrics
  const { createTraces } = await import('../telemetry/traces.ts')
  return joinTelemetry(metrics, disposables.use(createTraces(config, packageJson.version, logger)))
}
