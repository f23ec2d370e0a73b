import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Runs the service from its sources. `npm run dev` runs this file with `node --watch-path`, which
 * restarts it when a source changes. The service must not inherit `WATCH_REPORT_DEPENDENCIES`: with
 * this variable, threads report their imports as messages, which the service would mistake for
 * messages of its own threads.
 */
const launcher = fileURLToPath(new URL('../packages/cli/bin/framegate.js', import.meta.url))
const { WATCH_REPORT_DEPENDENCIES: _, ...env } = process.env
const service = spawn(process.execPath, [launcher, 'serve', ...process.argv.slice(2)], { stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal))
const [code] = (await once(service, 'exit')) as [number | null]
process.exitCode = code ?? 1
