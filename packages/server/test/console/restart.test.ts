import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { startServer } from '../started-server.ts'
import { chromiumPath } from './open-console.ts'

const unreachable = /^The service cannot be reached/

describe.skipIf(chromiumPath === undefined)('a restart of the service', () => {
  it('framegate serve --open signs the browser in, and the overview and the page of a running task reconnect after a restart', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'framegate-restart-'))
    const bin = path.join(folder, 'bin')
    const opened = path.join(folder, 'opened')
    mkdirSync(bin)
    writeFileSync(path.join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > ${opened}\n`, { mode: 0o755 })
    const environment = { FRAMEGATE_PORT: String(await freePort()), PATH: `${bin}:${process.env['PATH'] ?? ''}` }
    const dataDir = path.join(folder, 'data')
    const first = await startServer(dataDir, environment, ['--open'])
    const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] })
    try {
      await expect.poll(() => readIfThere(opened), { timeout: 5_000 }).toContain('/console/sign-in#code=')
      const context = await browser.newContext({ locale: 'en-US' })
      const page = await context.newPage()
      await page.goto(readIfThere(opened))
      await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
      const body = { model: 'imgA-5.0', prompt: 'a boat', simulate: { seconds: 3 } }
      const { id } = (await (await first.request('POST', '/v2/model-center/tasks', body)).json()) as { id: string }
      await page.goto(`${new URL(first.baseUrl).origin}/console/tasks/${id}`)
      await page.getByText('Processing').first().waitFor()
      const overview = await context.newPage()
      await overview.goto(`${new URL(first.baseUrl).origin}/console/overview`)
      await overview.getByText('Running now').first().waitFor()
      await first.kill()
      await overview.getByRole('alert').getByText(unreachable).waitFor({ timeout: 10_000 })
      await page.getByText(unreachable).first().waitFor({ timeout: 10_000 })
      const second = await startServer(dataDir, environment)
      try {
        await page.getByText('Completed').first().waitFor({ timeout: 20_000 })
        await expect.poll(() => page.getByText(unreachable).count()).toBe(0)
        await expect.poll(() => overview.getByText(unreachable).count(), { timeout: 10_000 }).toBe(0)
      } finally {
        await second.stop()
      }
    } finally {
      await browser.close()
      await first.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  }, 60_000)
})

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
