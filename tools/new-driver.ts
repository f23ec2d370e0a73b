import { fileURLToPath } from 'node:url'
import { createDriver } from './new-driver/create-driver.ts'

const [name] = process.argv.slice(2)
if (name === undefined) {
  console.error('The name of the driver is missing: npm run new-driver NAME')
  process.exit(2)
}
try {
  for (const file of createDriver(fileURLToPath(new URL('..', import.meta.url)), name)) console.log(file)
  console.error(
    `\nnpx vitest run packages/server/test/upstreams/${name}.test.ts lists the parts to fill in; docs/drivers.md explains how.`,
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
