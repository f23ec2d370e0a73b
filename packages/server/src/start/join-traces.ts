import type { Config } from '../config/config.ts'
import type { Logger } from '../lib/logger.ts'
import { joinTelemetry, type Telemetry } from '../telemetry/telemetry.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** What makes traces is loaded only where they are asked for. */
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
