import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainPng } from '../plain-png.ts'
import { chromiumPath } from '../launch-chromium.ts'
import { openConsole, type OpenedConsole } from './open-console.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../..', import.meta.url))
/**
 * Prompt with characters that a shell, JSON or Python would change if a sample did not quote them.
 */
const prompt = `it's a "blue" $HOME \\ boat\n\`second\` line 🛶`

describe.skipIf(chromiumPath === undefined)('an integrator in the console', () => {
  let openedConsole: OpenedConsole
  let page: Page
  let completionTimer: ReturnType<typeof setInterval>
  beforeAll(async () => {
    openedConsole = await openConsole()
    ;({ page } = await openedConsole.signIn())
    // The test plays the role of the dispatcher.
    completionTimer = setInterval(() => void completeAll(), 200)
  })
  afterAll(async () => {
    clearInterval(completionTimer)
    await openedConsole[Symbol.asyncDispose]()
  })

  async function completeAll(): Promise<void> {
    await openedConsole.service.startAll()
    const { json } = await openedConsole.service.request('GET', '/v2/model-center/tasks?status=processing')
    for (const { id } of json.items) await openedConsole.service.complete(id, { bytes: plainPng(8, 8) }).catch(() => undefined)
  }

  async function readSample(language: string): Promise<string> {
    await page.getByRole('radio', { name: language }).check({ force: true })
    return await page.locator('.code-view .code-block').innerText()
  }

  async function readNewestPrompt(): Promise<unknown> {
    const { json } = await openedConsole.service.request('GET', '/v2/model-center/tasks?view=full&limit=1')
    return json.items[0].parameters.prompt
  }

  it.each([
    ['curl', 'bash', ['-c']],
    ['Python', 'python3', ['-c']],
    ['MCP', 'bash', ['-c']],
    ['TypeScript', process.execPath, ['--input-type=module', '-e']],
  ])('the code sample in %s runs as pasted and sends the prompt of the form unchanged', async (language, program, args) => {
    const { service } = openedConsole
    await page.goto(`${service.origin}/console/models/imgA-5.0`)
    await page.getByRole('textbox', { name: 'Prompt' }).fill(`${prompt} ${language}`)
    await page.getByRole('tab', { name: 'Code' }).click()
    const code = await readSample(language)
    const { stdout } = await run(program, [...args, code], {
      cwd: root,
      env: { ...process.env, FRAMEGATE_API_KEY: service.key },
      timeout: 60_000,
    })
    expect(stdout).toContain('/media/')
    expect(await readNewestPrompt()).toBe(`${prompt} ${language}`)
  })

  it('the code sample for the command line runs as pasted, sends the prompt unchanged and saves the result', async () => {
    const { service } = openedConsole
    const cwd = mkdtempSync(path.join(tmpdir(), 'framegate-sample-'))
    await page.goto(`${service.origin}/console/models/imgA-5.0`)
    await page.getByRole('textbox', { name: 'Prompt' }).fill(`${prompt} CLI`)
    await page.getByRole('tab', { name: 'Code' }).click()
    const code = await readSample('CLI')
    const programs = path.join(root, 'node_modules/.bin')
    const env = { ...process.env, PATH: `${programs}:${process.env['PATH'] ?? ''}`, FRAMEGATE_API_KEY: service.key }
    await run('bash', ['-c', code], { cwd, env, timeout: 60_000 })
    expect(readdirSync(cwd)).toHaveLength(1)
    rmSync(cwd, { recursive: true })
    expect(await readNewestPrompt()).toBe(`${prompt} CLI`)
  })

  it('a comparison submits a task for each column when the button is pressed, and none when a column is added or changed', async () => {
    const { service } = openedConsole
    const { key } = await service.newAccount(10)
    const countTasks = async () => (await service.request('GET', '/v2/model-center/tasks', { key })).json.items.length
    const secondSession = await openedConsole.signIn(key)
    await secondSession.page.goto(`${service.origin}/console/compare?models=imgA-5.0,vidDq3-turbo`)
    await secondSession.page.getByRole('textbox', { name: 'Prompt' }).fill('a paper boat')
    await secondSession.page.getByRole('button', { name: 'Generate' }).click()
    await expect.poll(countTasks).toBe(2)
    await secondSession.page.getByRole('button', { name: 'Add a column' }).click()
    await secondSession.page.getByRole('combobox', { name: 'Model' }).nth(1).selectOption('imgA-5.0')
    await secondSession.page.getByRole('region', { name: 'Result 3' }).waitFor()
    await secondSession.page.getByRole('button', { name: 'Generate' }).click()
    await expect.poll(countTasks).toBe(5)
    const { items } = (await service.request('GET', '/v2/model-center/tasks', { key })).json
    expect(items.filter(({ model }: { model: string }) => model === 'vidDq3-turbo')).toHaveLength(1)
    await secondSession.context.close()
  })

  it('the filter of the task list is part of the URL, and a reload shows the same list', async () => {
    await page.getByRole('link', { name: 'Tasks' }).click()
    await page.getByRole('radio', { name: 'Failed' }).check({ force: true })
    await page.getByText('No task matches these filters.').waitFor()
    expect(page.url()).toContain('status=failed')
    await page.reload()
    await page.getByText('No task matches these filters.').waitFor()
  })

  it('the list of tasks renders only the rows near the viewport, and scrolling reaches the oldest task', async () => {
    const { service } = openedConsole
    const { key } = await service.newAccount(10)
    const submit = (prompt: string) =>
      service.request('POST', '/v2/model-center/tasks', { body: { model: 'imgA-5.0', prompt }, key })
    await submit('the oldest')
    await Promise.all(Array.from({ length: 90 }, (_, index) => submit(`boat ${index}`)))
    const secondSession = await openedConsole.signIn(key)
    await secondSession.page.getByRole('link', { name: 'Tasks' }).click()
    await secondSession.page.getByRole('button', { name: 'Show more' }).click()
    await secondSession.page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
    const rows = secondSession.page.locator('.task-table .row')
    await expect.poll(() => rows.count()).toBeLessThan(40)
    expect(await secondSession.page.getByRole('link', { name: 'the oldest' }).count()).toBe(0)
    await secondSession.page.mouse.move(700, 500)
    // The list may still grow after a turn of the wheel.
    await expect
      .poll(async () => {
        await secondSession.page.mouse.wheel(0, 20_000)
        return await secondSession.page.getByRole('link', { name: 'the oldest' }).count()
      })
      .toBe(1)
    expect(await rows.count()).toBeLessThan(40)
    await secondSession.context.close()
  })

  it('an integrator adds a webhook, and sees its secret once', async () => {
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    await page.getByLabel('Address').fill('http://not-secure.example')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText(/url must be/).waitFor()
    await page.getByLabel('Address').fill('https://hooks.example.com/films')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('heading', { name: 'https://hooks.example.com/films' }).waitFor()
    expect(await page.getByText(/^whsec_/).count()).toBe(0)
  })

  it('a delivery shows that failed attempts are retried, and a click on "Resend" queues a failed delivery again', async () => {
    const { service } = openedConsole
    const [webhook] = (await service.request('GET', '/v2/webhooks')).json.items
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('cell', { name: 'On its way' }).waitFor()
    const { no } = await service.store.database.selectFrom('webhook_deliveries').select('no').executeTakeFirstOrThrow()
    const attempt = {
      delivery_no: no,
      number: 2,
      at: Date.now(),
      duration_ms: 9,
      is_manual: 0,
      status_code: 500,
      error: 'HTTP 500',
    }
    await service.store.database.insertInto('webhook_attempts').values(attempt).execute()
    const retried = { attempts: 2, due_at: Date.now() + 10 * 60_000 }
    await service.store.database.updateTable('webhook_deliveries').set(retried).execute()
    await page.getByRole('cell', { name: /^Retried after 2 attempts\s*Next attempt: in 10 minutes$/ }).waitFor()
    const failed = { status: 'failed', due_at: null, ended_at: Date.now() } as const
    await service.store.database.updateTable('webhook_deliveries').set(failed).execute()
    await page.reload()
    await page.getByRole('cell', { name: 'Failed' }).waitFor()
    await page.getByRole('button', { name: 'Resend' }).click()
    await page.getByText('The event is sent again.').waitFor()
    const { items } = (await service.request('GET', `/v2/webhooks/${webhook.id}/deliveries`)).json
    expect(items).toMatchObject([{ status: 'pending' }])
  })

  it('a file that is dropped or pasted in a field, or dropped on the page of assets, is uploaded', async () => {
    const { service } = openedConsole
    const dispatchFile = (selector: string, type: 'drop' | 'paste', width: number) =>
      page.evaluate(
        `(() => {
          const data = new DataTransfer()
          data.items.add(new File([new Uint8Array(${JSON.stringify([...plainPng(width, 8)])})], 'tiny.png', { type: 'image/png' }))
          const options = { bubbles: true, cancelable: true }
          const event = ${type === 'drop' ? "new DragEvent('drop', { ...options, dataTransfer: data })" : "new ClipboardEvent('paste', { ...options, clipboardData: data })"}
          document.querySelector(${JSON.stringify(selector)}).dispatchEvent(event)
        })()`,
      )
    await page.goto(`${service.origin}/console/models/imgA-5.0`)
    await page.locator('.media-field').waitFor()
    await dispatchFile('.media-field', 'drop', 8)
    await expect.poll(() => page.locator('.media-items li').count()).toBe(1)
    await dispatchFile('.media-field', 'paste', 9)
    await expect.poll(() => page.locator('.media-items li').count()).toBe(2)
    await page.getByRole('link', { name: 'Assets' }).click()
    await page.locator('.asset-grid li').first().waitFor()
    const assetsBefore = (await service.request('GET', '/v2/assets')).json.items.length
    await dispatchFile('.drop-area', 'drop', 10)
    await expect.poll(async () => (await service.request('GET', '/v2/assets')).json.items.length).toBe(assetsBefore + 1)
  })

  it('a result is used as the first frame or as a reference of another task', async () => {
    const { service } = openedConsole
    const { key } = await service.newAccount(1)
    const body = { model: 'imgA-5.0', prompt: 'a boat' }
    const { id } = (await service.request('POST', '/v2/model-center/tasks', { body, key })).json
    await service.startAll()
    await service.complete(id, { bytes: plainPng(64, 64) })
    const secondSession = await openedConsole.signIn(key)
    for (const [button, field] of [
      ['Use as reference', 'Reference images'],
      ['Use as first frame', 'First frame'],
    ] as const) {
      await secondSession.page.goto(`${service.origin}/console/tasks/${id}`)
      await secondSession.page.getByRole('button', { name: button }).click()
      await secondSession.page.getByRole('group', { name: field }).getByText('result').waitFor()
      // The result's model accepts reference images but no first frame, which another model
      // accepts.
      expect(secondSession.page.url().includes('imgA-5.0')).toBe(button === 'Use as reference')
    }
    // An identical file becomes the same asset.
    expect((await service.request('GET', '/v2/assets', { key })).json.items).toHaveLength(1)
    await secondSession.context.close()
  })

  it('the usage and the ledger are downloaded as CSV with the session', async () => {
    for (const [name, columns] of [
      ['Usage', /^day,.*model/],
      ['Ledger', /^id|^created|^at/],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click()
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
      const text = await new Response(await download.createReadStream()).text()
      expect(text.split('\n')[0]).toMatch(columns)
      expect(text.trim().split('\n').length).toBeGreaterThan(1)
    }
  })

  it("the gallery's search queries the service and shows the results whose prompts match", async () => {
    const { service } = openedConsole
    const { key } = await service.newAccount(100)
    const submit = async (text: string): Promise<void> => {
      const body = { model: 'imgA-5.0', prompt: text }
      const { id } = (await service.request('POST', '/v2/model-center/tasks', { body, key })).json
      await service.startAll()
      await service.complete(id, { bytes: plainPng(8, 8) })
    }
    await submit('a Red fox')
    await submit('a boat')
    const secondSession = await openedConsole.signIn(key)
    await secondSession.page.getByRole('link', { name: 'Gallery' }).click()
    await expect.poll(() => secondSession.page.locator('.gallery-item').count()).toBe(2)
    const searchRequest = secondSession.page.waitForRequest((request) => request.url().includes('q=FOX'))
    await secondSession.page.getByRole('searchbox').fill('FOX red')
    await searchRequest
    await expect.poll(() => secondSession.page.locator('.gallery-item').count()).toBe(1)
    expect(secondSession.page.url()).toContain('q=FOX')
    await secondSession.page.getByRole('searchbox').fill('nothing')
    await secondSession.page.getByText('No result matches').waitFor()
    expect(secondSession.complaints).toEqual([])
    await secondSession.context.close()
  })

  it('the command palette opens with the keyboard, and goes to a page, a model or a task', async () => {
    const { service } = openedConsole
    const typeWords = async (words: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Type a page/ }).fill(words)
      await page.getByRole('listbox').getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
    }
    await typeWords('ledger')
    await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
    await typeWords('vidDq3-turbo')
    await page.getByRole('textbox', { name: 'Prompt' }).waitFor()
    const [task] = (await service.request('GET', '/v2/model-center/tasks?limit=1')).json.items
    await typeWords(task.id)
    await page.getByRole('heading', { level: 1, name: 'Task' }).waitFor()
    expect(page.url()).toContain(task.id)
    const body = { model: 'imgA-5.0', prompt: 'a lighthouse in a storm' }
    const { id } = (await service.request('POST', '/v2/model-center/tasks', { body })).json
    for (const words of ['STORM lighthouse', id.slice(0, 17)]) {
      await page.getByRole('link', { name: 'Ledger', exact: true }).click()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Type a page/ }).fill(words)
      await page.getByRole('option', { name: 'a lighthouse in a storm' }).click()
      await expect.poll(() => page.url()).toContain(id)
    }
  })

  it('the command palette fits a narrow screen, and shortens a long prompt', async () => {
    const { service } = openedConsole
    const body = { model: 'imgA-5.0', prompt: `a windmill ${'in the evening light '.repeat(20)}` }
    await service.request('POST', '/v2/model-center/tasks', { body })
    const viewport = page.viewportSize()
    await page.setViewportSize({ width: 320, height: 640 })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Type a page/ }).fill('windmill')
    await page.getByRole('option', { name: 'a windmill' }).waitFor()
    expect(await page.getByRole('listbox').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await page.keyboard.press('Escape')
    if (viewport !== null) await page.setViewportSize(viewport)
  })
})
