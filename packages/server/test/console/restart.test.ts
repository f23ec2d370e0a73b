import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { chromiumPath, launchChromium } from '../launch-chromium.ts'

const unreachable = /^The service cannot be reached/

describe.skipIf(chromiumPath === undefined)('a restart of the service', () => {
  it('framegate serve --open signs the browser in, and after a restart the overview and the page of a running task reconnect and forms keep their values', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'framegate-restart-'))
    const bin = path.join(folder, 'bin')
    const openedFile = path.join(folder, 'opened')
    mkdirSync(bin)
    writeFileSync(path.join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > ${openedFile}\n`, { mode: 0o755 })
    const environment = { FRAMEGATE_PORT: String(await freePort()), PATH: `${bin}:${process.env['PATH'] ?? ''}` }
    const dataDir = path.join(folder, 'data')
    const firstServer = await startServer(dataDir, environment, ['--open'])
    const browser = await launchChromium()
    try {
      await expect.poll(() => readIfExists(openedFile), { timeout: 5_000 }).toContain('/console/sign-in#code=')
      const context = await browser.newContext({ locale: 'en-US' })
      const page = await context.newPage()
      await page.goto(readIfExists(openedFile))
      await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
      const body = { model: 'imgA-5.0', prompt: 'a boat', simulate: { seconds: 3 } }
      const { id } = (await (await firstServer.request('POST', '/v2/model-center/tasks', body)).json()) as { id: string }
      await page.goto(`${new URL(firstServer.baseUrl).origin}/console/tasks/${id}`)
      await page.getByText('Processing').first().waitFor()
      const overview = await context.newPage()
      await overview.goto(`${new URL(firstServer.baseUrl).origin}/console/overview`)
      await overview.getByText('Running now').first().waitFor()
      await firstServer.kill()
      await overview.getByRole('alert').getByText(unreachable).waitFor({ timeout: 10_000 })
      await page.getByText(unreachable).first().waitFor({ timeout: 10_000 })
      const secondServer = await startServer(dataDir, environment)
      try {
        await page.getByText('Completed').first().waitFor({ timeout: 20_000 })
        await expect.poll(() => page.getByText(unreachable).count()).toBe(0)
        await expect.poll(() => overview.getByText(unreachable).count(), { timeout: 10_000 }).toBe(0)

        const forms = await openForms(await Promise.all([context.newPage(), context.newPage(), context.newPage()]), secondServer)
        const balance = await readBalance(secondServer)
        await secondServer.kill()
        for (const { send, problem, field, value } of forms) {
          await send()
          await problem.getByText(unreachable).waitFor()
          expect(await field.inputValue()).toBe(value)
        }
        const thirdServer = await startServer(dataDir, environment)
        try {
          for (const { send, done } of forms) {
            await send()
            await done()
          }
          // The task costs 0.04 credits.
          expect(await readBalance(thirdServer)).toBeCloseTo(balance + 5 - 0.04)
        } finally {
          await thirdServer.stop()
        }
      } finally {
        await secondServer.kill()
      }
    } finally {
      await browser.close()
      await firstServer.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  }, 60_000)
})

interface FilledForm {
  send: () => Promise<void>
  /** Element that shows the error of a failed request. */
  problem: Locator
  field: Locator
  value: string
  done: () => Promise<void>
}

/**
 * Fills in three forms without sending them: the form of a task, the dialog of a key, and the form
 * of a grant with its confirmation dialog.
 */
async function openForms([playground, keys, account]: readonly Page[], server: StartedServer): Promise<FilledForm[]> {
  if (playground === undefined || keys === undefined || account === undefined) throw new Error('three pages are needed')
  const { origin } = new URL(server.baseUrl)
  // Changes of keys and credits require a recent confirmation.
  const headers = { origin, 'sec-fetch-site': 'same-origin', 'x-console-request': '1' }
  await playground.request.post(`${origin}/console/session/confirm`, { data: { key: server.apiKey }, headers })
  await playground.goto(`${origin}/console/models/imgA-5.0`)
  const prompt = playground.getByRole('textbox', { name: 'Prompt' })
  await prompt.fill('a prompt that is kept')
  await keys.goto(`${origin}/console/keys`)
  await keys.getByRole('button', { name: 'Create a key' }).click()
  const name = keys.getByLabel('Name')
  await name.fill('website')
  await account.goto(`${origin}/console/accounts/${await readAccountId(server)}`)
  await account.getByRole('button', { name: 'Grant credits' }).click()
  const credits = account.getByRole('spinbutton', { name: 'Credits' })
  await credits.fill('5')
  const dialog = account.getByRole('dialog').first()
  const grant = account.getByRole('button', { name: 'Grant credits' })
  return [
    {
      send: () => playground.getByRole('button', { name: 'Generate' }).click(),
      problem: playground.getByRole('alert').first(),
      field: prompt,
      value: 'a prompt that is kept',
      done: () => playground.getByRole('status').getByText('Queued').or(playground.getByText('Completed')).first().waitFor(),
    },
    {
      send: () => keys.getByRole('button', { name: 'Create', exact: true }).click(),
      problem: keys.getByRole('dialog'),
      field: name,
      value: 'website',
      done: () => keys.getByText(/^fg_live_/).waitFor(),
    },
    {
      send: async () => {
        await dialog.getByRole('button', { name: 'Grant credits' }).click()
        await grant.last().click()
      },
      problem: dialog,
      field: credits,
      value: '5',
      done: () => dialog.waitFor({ state: 'detached' }),
    },
  ]
}

async function readAccountId(server: StartedServer): Promise<string> {
  const { items } = (await (await server.request('GET', '/admin/v1/accounts')).json()) as { items: { id: string }[] }
  return items[0]?.id ?? ''
}

async function readBalance(server: StartedServer): Promise<number> {
  const response = await server.request('GET', `/admin/v1/accounts/${await readAccountId(server)}`)
  return ((await response.json()) as { balance: number }).balance
}

/** Returns the text of a file, or an empty text if there is no such file. */
function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
