import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainPng } from '../plain-png.ts'
import { chromiumPath } from '../launch-chromium.ts'
import { openConsole, type OpenedConsole, type Visit } from './open-console.ts'

describe.skipIf(chromiumPath === undefined)('an operator in the console', () => {
  let openedConsole: OpenedConsole
  let visit: Visit
  beforeAll(async () => {
    openedConsole = await openConsole()
    visit = await openedConsole.signIn()
  })
  afterAll(async () => {
    await openedConsole[Symbol.asyncDispose]()
  })

  /**
   * Enters the key if the console asks for it. The console asks if the key was last entered more
   * than ten minutes ago.
   */
  async function confirmKey(): Promise<void> {
    const dialog = visit.page.getByRole('dialog', { name: 'Confirm with your key' })
    await dialog.waitFor({ timeout: 1_000 }).catch(() => undefined)
    if ((await dialog.count()) === 0) return
    await dialog.getByLabel('API key').fill(openedConsole.service.key)
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  }

  /** Presses a button in the confirmation dialog with this text. */
  async function confirm(question: string | RegExp, button: string): Promise<void> {
    const dialog = visit.page.getByRole('dialog').filter({ hasText: question }).last()
    await dialog.getByRole('button', { name: button, exact: true }).last().click()
  }

  it('an operator finds every page of the navigation, and each has its heading', async () => {
    const { page, complaints } = visit
    const names = [
      'Overview',
      'Accounts',
      'Brands',
      'Definitions',
      'Prices',
      'Upstreams',
      'Routes',
      'Attempts',
      'Audit log',
      'Live log',
      'Ledger check',
    ]
    for (const name of ['Models', 'Gallery', 'Tasks', 'Assets', 'Usage', 'Ledger', 'Keys', 'Webhooks', ...names]) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    }
    expect(complaints).toEqual([])
  })

  it("an operator creates an account and a key and grants credits, after entering the operator's key again", async () => {
    const { service } = openedConsole
    const { page } = visit
    await page.getByRole('link', { name: 'Accounts' }).click()
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByLabel('Name').fill('Studio')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Studio' }).waitFor()
    service.clockAheadMs += 11 * 60_000
    await page.getByRole('button', { name: 'Grant credits' }).click()
    await page.getByRole('spinbutton', { name: 'Credits' }).fill('25')
    await page.getByRole('dialog').getByRole('button', { name: 'Grant credits' }).click()
    await confirm('Change the balance of Studio from 0 to 25 credits?', 'Grant credits')
    await page.getByRole('dialog', { name: 'Confirm with your key' }).getByLabel('API key').fill(service.key)
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByRole('definition').getByText('25', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByLabel('Name').fill('web')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const secret = await page
      .getByRole('dialog')
      .getByText(/^fg_live_/)
      .innerText()
    expect((await service.request('GET', '/v2/credits', { key: secret })).json.balance).toBe(25)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
    await page.getByRole('row', { name: /^web/ }).getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Credits per day').fill('5')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await confirm(/Restrict “web”/, 'Save')
    await page.getByRole('cell', { name: '5 credits per day' }).waitFor()
  })

  it('the overview shows the cost as a lower bound and the margin as an upper bound while the cost of jobs is unknown', async () => {
    const { service } = openedConsole
    const { page, context } = await openedConsole.signIn()
    await page.route('**/admin/v1/usage*', async (route) => {
      const response = await route.fetch()
      const sums = { tasks: 2, completed: 2, amount: 10.55, cost: 0.95, cost_unknown: 1, margin: 9.6 }
      const report = await response.json()
      const items = [{ ...report.total, ...sums, model: 'imgA-5.0' }]
      await route.fulfill({ response, json: { ...report, items, total: { ...report.total, ...sums } } })
    })
    await page.goto(`${service.origin}/console/overview`)
    await page.getByText('The cost of 1 job at upstreams is unknown.').waitFor()
    await page.getByRole('definition').getByText('at least 0.95').waitFor()
    await page.getByRole('definition').getByText('at most 9.6').waitFor()
    await page.getByRole('row', { name: /imgA-5\.0 .*at least 0\.95 at most 9\.6/ }).waitFor()
    await context.close()
  })

  it('an operator can copy the secret of a new key on a page without a secure context', async () => {
    const { service } = openedConsole
    const { page, context } = await openedConsole.signIn(service.key, { permissions: ['clipboard-read'] })
    await page.addInitScript(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }))
    await page.goto(`${service.origin}/console/keys`)
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByLabel('Name').fill('to copy')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const secret = await dialog.getByText(/^fg_live_/).innerText()
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    await context.close()
  })

  it('an operator sets an upstream and a route, reorders the route, and finds the changes in the audit log', async () => {
    const { service } = openedConsole
    const { page } = visit
    await page.goto(`${service.origin}/console/upstreams`)
    await page.getByRole('button', { name: 'Add a provider' }).click()
    await page.getByLabel('Name').fill('fal-main')
    await page.getByLabel('Driver').selectOption('fal')
    await page.getByLabel('API key').fill('secret-of-fal')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('cell', { name: /fal-main/ }).waitFor()
    await page.getByRole('link', { name: 'Routes' }).click()
    await page.getByRole('button', { name: 'Add a route' }).click()
    await page.getByLabel('Name', { exact: true }).fill('kling')
    await page.getByLabel('Model ID').fill('vidK O3 Video Generation')
    await page.getByLabel('Provider', { exact: true }).selectOption('fal-main')
    await page.getByLabel('Name of the model at the provider').fill('fal-ai/kling-video/o3/pro/text-to-video')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await confirm(/vidK O3 Video Generation can then run at fal-main, which may charge you/, 'Create')
    await page.getByRole('button', { name: 'Try kling later' }).click()
    await confirm(/Your costs may change/, 'Change the order')
    await expect
      .poll(
        async () =>
          (await service.request('GET', '/admin/v1/routes')).json.items.find(({ name }: { name: string }) => name === 'kling')
            ?.priority,
      )
      .toBe(1)
    const laterRoute = {
      model: 'vidK O3 Video Generation',
      upstream: 'fal-main',
      upstream_model: 'fal-ai/kling-video/v3',
      priority: 2,
    }
    await service.request('PUT', '/admin/v1/routes/kling-later', { body: laterRoute })
    await page.reload()
    await page.getByRole('row', { name: /kling-later/ }).dragTo(page.getByRole('row', { name: /^kling vidK/ }))
    const changes = page.getByRole('dialog', { name: 'Change the order' }).getByRole('row')
    await changes.first().waitFor()
    expect((await changes.allInnerTexts()).map((row) => row.split(/\s+/).slice(-2).join(' '))).toEqual([
      'Before After',
      '2 0',
      '1 1',
    ])
    await confirm(/Your costs may change/, 'Change the order')
    const readPriorities = async () => {
      const { items } = (await service.request('GET', '/admin/v1/routes')).json as { items: { name: string; priority: number }[] }
      return items.filter(({ name }) => name.startsWith('kling')).map(({ name, priority }) => [name, priority])
    }
    await expect.poll(readPriorities).toEqual([
      ['kling', 1],
      ['kling-later', 0],
    ])
    await service.request('DELETE', '/admin/v1/routes/kling-later')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByRole('dialog').getByLabel('Model').selectOption('vidK O3 Video Generation')
    await page.getByText('The next task takes the route kling.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('cell', { name: 'route.set' }).first().waitFor()
    expect(await page.locator('body').innerText()).not.toContain('secret-of-fal')
  })

  it('a change of an upstream or a route in the console keeps settings that the form does not show, and a cleared limit is removed', async () => {
    const { service } = openedConsole
    const { page } = visit
    const send = (path: string, body: object) => service.request('PUT', `/admin/v1${path}`, { body })
    const upstream = { driver: 'fal', schema_url: 'https://schemas.example.com', in_flight_max: 7 }
    await send('/upstreams/fal-other', { ...upstream, api_key: 'secret-of-fal' })
    const route = { model: 'vidDq3-turbo', upstream: 'fal-other', upstream_model: 'a/b', extra: { fast: true }, in_flight_max: 3 }
    await send('/routes/other', route)
    const find = async (path: string, name: string) =>
      (await service.request('GET', `/admin/v1${path}`)).json.items.find((item: { name: string }) => item.name === name)
    await page.goto(`${service.origin}/console/upstreams`)
    await page
      .getByRole('row', { name: /fal-other/ })
      .getByRole('button', { name: 'Edit' })
      .click()
    await page.getByLabel('Polls per second').fill('9')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await find('/upstreams', 'fal-other')).toMatchObject({ ...upstream, polls_per_second: 9 })
    await page.getByRole('link', { name: 'Routes' }).click()
    const row = page.getByRole('row', { name: /^other/ })
    await row.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Attempts at the same time').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    // The change does not affect where tasks run, so the console shows no confirmation dialog.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await find('/routes', 'other')).toMatchObject({ ...route, in_flight_max: null })
    await row.getByRole('button', { name: 'Remove' }).click()
    await confirm(/It is the last route of its model/, 'Remove')
    await row.waitFor({ state: 'detached' })
  })

  it('restricting a key, an account or a brand and changing a definition require a confirmation, and an error keeps the form', async () => {
    const { service } = openedConsole
    const { page } = visit
    const account = await service.newAccount(0, ['tasks:write', 'tasks:read'])
    const readKey = async () => (await service.request('GET', `/admin/v1/keys/${account.keyId}`)).json
    await page.goto(`${service.origin}/console/accounts/${account.accountId}`)
    await page.getByRole('row', { name: /test/ }).getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog').first()
    await form.getByLabel('Start and cancel tasks').uncheck()
    await form.getByLabel('Requests per second').fill('0')
    await form.getByRole('button', { name: 'Save' }).first().click()
    const question = page.getByRole('dialog').filter({ hasText: 'Restrict “test”?' }).last()
    await question.getByRole('button', { name: 'Cancel' }).last().click()
    await question.waitFor({ state: 'detached' })
    expect((await readKey()).scopes).toEqual(['tasks:write', 'tasks:read'])
    await form.getByRole('button', { name: 'Save' }).click()
    await confirm(/Restrict “test”/, 'Save')
    await form.getByText(/requests_per_second_max must be/).waitFor()
    await form.getByLabel('Requests per second').fill('')
    await form.getByRole('button', { name: 'Save' }).click()
    await confirm(/Restrict “test”/, 'Save')
    await form.waitFor({ state: 'detached' })
    expect(await readKey()).toMatchObject({ scopes: ['tasks:read'], requests_per_second_max: null })

    await page.getByRole('main').getByRole('button', { name: 'Edit', exact: true }).first().click()
    await page.getByLabel('Tasks at the same time').fill('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await confirm(/Lower the limits of acct_/, 'Save')
    await page.getByRole('definition').getByText('2', { exact: true }).waitFor()

    const brand = await service.request('POST', '/admin/v1/brands', {
      body: { name: 'Aurora', hosts: ['a.example', 'b.example'] },
    })
    await page.goto(`${service.origin}/console/brands`)
    await page.getByRole('listitem').filter({ hasText: 'Aurora' }).getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Hosts').fill('a.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await confirm(/Clients of Aurora lose a host/, 'Save')
    await page.getByRole('dialog').first().waitFor({ state: 'detached' })
    expect((await service.request('GET', `/admin/v1/brands/${brand.json.id}`)).json.hosts).toEqual(['a.example'])

    const definition = { id: 'House Images', object: 'image', parameters: { prompt: {} }, price: { per_image: 0.05 } }
    await service.request('POST', '/admin/v1/models', { body: definition })
    await page.getByRole('link', { name: 'Definitions' }).click()
    await page
      .getByRole('row', { name: /House Images/ })
      .getByRole('button', { name: 'Edit' })
      .click()
    const preview = page.getByRole('region', { name: 'Preview of the form' })
    await preview.getByRole('textbox', { name: 'Prompt' }).waitFor()
    const definitionField = page.getByRole('textbox', { name: 'Definition' })
    await definitionField.fill('{"parameters": {"prompt": {}, "guidance": {"type": "number", "minimum": 1, "maximum": 9}}}')
    await preview.getByLabel('guidance').waitFor()
    await definitionField.fill('{"object": "film"}')
    await preview.getByText(/object must be/).waitFor()
    await definitionField.fill('{"price": {"per_image": 0.07}}')
    await preview.getByText(/0\.07 credits/).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await confirm(/New tasks use the new definition and its price/, 'Save')
    await page.getByRole('cell', { name: /0\.07 credits/ }).waitFor()
    await service.request('DELETE', `/admin/v1/models/${encodeURIComponent(definition.id)}`)
  })

  it('pages of routes, upstreams and brands show a hundred items of a long list, and more on request', async () => {
    const { page } = visit
    for (const [path, name, role] of [
      ['routes', 'Routes', 'row'],
      ['upstreams', 'Upstreams', 'row'],
      ['brands', 'Brands', 'listitem'],
    ] as const) {
      await page.route(`**/admin/v1/${path}`, async (route) => {
        const response = await route.fetch()
        const list = (await response.json()) as { items: { name: string }[] }
        const items = Array.from({ length: 150 }, (_, index) => ({ ...list.items[0], id: `b_${index}`, name: `copy ${index}` }))
        await route.fulfill({ response, json: { ...list, items } })
      })
      await page.getByRole('link', { name, exact: true }).click()
      const copies = page.getByRole('main').getByRole(role).filter({ hasText: 'copy' })
      await expect.poll(() => copies.count()).toBe(100)
      await page.getByRole('button', { name: 'Show more' }).click()
      await expect.poll(() => copies.count()).toBe(150)
      await page.unroute(`**/admin/v1/${path}`)
    }
  })

  it('an operator imports a model from a pack after a preview, and finds it among the definitions', async () => {
    const { service } = openedConsole
    const { page } = visit
    await page.getByRole('link', { name: 'Definitions' }).click()
    await page.getByRole('button', { name: 'Import a model' }).click()
    await page.getByLabel('Pack').selectOption('fal-veo-3.1-fast')
    await page.getByLabel('Provider', { exact: true }).selectOption('fal-main')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText(/The import creates the model .* with 3 routes/).waitFor()
    expect((await service.request('GET', '/admin/v1/models')).json.items).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Import a model' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await service.request('GET', '/admin/v1/models')).json.items).toHaveLength(1)
    await page.getByRole('cell', { name: /veo/i }).first().waitFor()
  })

  it('an operator sees what a completed task would have cost at a price before setting it', async () => {
    const { service } = openedConsole
    const { page } = visit
    const { key } = await service.newAccount(10)
    const body = { model: 'imgA-5.0', prompt: 'a boat' }
    const { id } = (await service.request('POST', '/v2/model-center/tasks', { body, key })).json
    await service.startAll()
    await service.complete(id, { bytes: plainPng(8, 8), chargeMicroCredits: 40_000 })
    await page.getByRole('link', { name: 'Prices' }).click()
    await page.getByRole('button', { name: 'Set a price' }).click()
    await page.getByLabel('Model').selectOption('imgA-5.0')
    // The form starts with the price in force.
    expect(await page.getByLabel('Credits at 1K').inputValue()).toBe('0.04')
    await page.getByLabel('Unit').selectOption('per task')
    await page.getByLabel('Credits at 1K').fill('0.1')
    await page.getByLabel('Credits at 2K').fill('')
    await page.getByLabel('Credits at other resolutions').fill('0.1')
    await page.getByRole('button', { name: 'Try it' }).click()
    await confirmKey()
    const row = page.getByRole('dialog').getByRole('row', { name: /imgA-5\.0/ })
    await row.waitFor()
    await page.getByText(/^Before: .*0\.04 credits.* \(the next broader price\)$/).waitFor()
    await page.getByText(/^Time zone: \S+$/).waitFor()
    expect((await row.innerText()).split('\t').map((cell) => cell.trim())).toEqual(['imgA-5.0', '1', '0.04', '0.10', '+0.06'])
    expect((await service.request('GET', '/admin/v1/prices')).json.items).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Set a price' }).click()
    await page.getByRole('cell', { name: '0.10 credits per task' }).waitFor()
  })

  it('an operator sets a video price by resolution, adds rounding as JSON, and removes the price', async () => {
    const { service } = openedConsole
    const { page } = visit
    const priceSet = async () => {
      await page.getByRole('dialog').getByRole('button', { name: 'Try it' }).click()
      await page.getByText(/^After: /).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Set a price' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      return (await service.request('GET', '/admin/v1/prices/current?model=vidDq3-turbo')).json
    }
    await page.getByRole('link', { name: 'Prices' }).click()
    await page.getByRole('button', { name: 'Set a price' }).click()
    await page.getByLabel('Model').selectOption('vidDq3-turbo')
    await page.getByLabel('Credits at 720p').fill('0.2')
    await page.getByLabel('Minimum credits of a video').fill('0.35')
    await page.getByRole('radio', { name: 'JSON' }).check()
    const json = page.getByLabel('Price as JSON')
    const price = { ...(JSON.parse(await json.inputValue()) as object), rounding: { to: 0.01, direction: 'up' } }
    expect(price).toMatchObject({ unit: 'second', credits: { '720p': 0.2 }, minimum_credits: 0.35 })
    await json.fill(JSON.stringify(price))
    // The form keeps fields that it does not show.
    await page.getByRole('radio', { name: 'Amounts' }).check()
    await page.getByLabel('Credits at 720p').fill('0.25')
    const set = { unit: 'second', credits: { '720p': 0.25 }, minimum_credits: 0.35, rounding: { to: 0.01, direction: 'up' } }
    expect((await priceSet()).price).toMatchObject(set)

    await page.getByRole('button', { name: 'Set a price' }).click()
    await page.getByLabel('Model').selectOption('vidDq3-turbo')
    await page.getByRole('radio', { name: 'No price' }).check()
    expect((await priceSet()).price).not.toMatchObject(set)
    await page.getByRole('cell', { name: 'No price' }).waitFor()
  })

  it('invalid JSON of a price is kept while the operator looks at the other forms', async () => {
    const { page } = visit
    await page.getByRole('link', { name: 'Prices' }).click()
    await page.getByRole('button', { name: 'Set a price' }).click()
    const dialog = page.getByRole('dialog')
    const show = (form: string) => dialog.getByRole('radio', { name: form }).check()
    const json = dialog.getByLabel('Price as JSON')
    const text = '{"unit": "second", "credits": {"*": 0.3},}'
    await dialog.getByLabel('Model').selectOption('vidDq3-turbo')
    await show('JSON')
    await json.fill(text)
    for (const form of ['Amounts', 'No price']) {
      await show(form)
      await show('JSON')
      expect(await json.inputValue()).toBe(text)
    }
    await json.fill(text.replace(',}', '}'))
    await show('Amounts')
    await dialog.getByLabel('Credits at other resolutions').fill('0.4')
    await show('JSON')
    expect(JSON.parse(await json.inputValue())).toEqual({ unit: 'second', credits: { '*': 0.4 } })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  it('a price is not sent if the browser cannot read its amount or its time', async () => {
    const { page } = visit
    await page.getByRole('link', { name: 'Prices' }).click()
    await page.getByRole('button', { name: 'Set a price' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Model').selectOption('vidDq3-turbo')
    const amount = dialog.getByLabel('Credits at 720p')
    await amount.fill('')
    await amount.pressSequentially('0.2e')
    await dialog.getByRole('button', { name: 'Try it' }).click()
    await dialog.getByText('Credits at 720p: this value is incomplete or invalid.').waitFor({ timeout: 5_000 })
    await amount.fill('0.2')
    // Only the first part of the time is entered.
    await dialog.getByLabel('Effective from').pressSequentially('12')
    await dialog.getByRole('button', { name: 'Try it' }).click()
    await dialog.getByText('Effective from: this value is incomplete or invalid.').waitFor({ timeout: 5_000 })
    await page.keyboard.press('Escape')
  })

  it('the overview shows a queued task of a model and a failing webhook, and leads to the account where it is disabled', async () => {
    const { service } = openedConsole
    const { page } = visit
    const { key } = await service.newAccount(10, ['tasks:write', 'tasks:read', 'webhooks:write'])
    await service.request('POST', '/v2/model-center/tasks', { body: { model: 'vidDq3-turbo', prompt: 'waits' }, key })
    const url = 'https://hooks.example.com/broken'
    const { id } = (await service.request('POST', '/v2/webhooks', { body: { url }, key })).json
    const failing = { failures: 4, is_failing: 1, failing_since: Date.now() - 3_600_000 }
    await service.store.database.updateTable('webhook_endpoints').set(failing).where('id', '=', id).execute()
    service.clockAheadMs += 6_000
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('Queued', { exact: true }).first().waitFor()
    const times = page.getByRole('group', { name: 'Time by model' })
    await times.getByRole('row', { name: /vidDq3-turbo 1 0 0 — —/ }).waitFor()
    await page.getByRole('link', { name: /^A webhook of .* is failing$/ }).click()
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    expect((await service.request('GET', `/v2/webhooks/${id}`, { key })).json.enabled).toBe(false)
  })

  it('the page of brands says that only the default brand serves hosts that belong to no brand', async () => {
    const { service } = openedConsole
    const { page } = visit
    await service.request('POST', '/admin/v1/brands', { body: { name: 'Without hosts' } })
    await page.goto(`${service.origin}/console/brands`)
    const hostsOf = (brand: string) =>
      page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: brand, exact: true }) })
        .getByText(/^Hosts/)
        .locator('..')
        .innerText()
    expect(await hostsOf('Framegate')).toMatch(/all hosts that belong to no brand$/)
    expect(await hostsOf('Without hosts')).toMatch(/^Hosts\s+—$/)
  })

  it('the console asks for confirmation before it hides a model of a brand', async () => {
    const { service } = openedConsole
    const { page } = visit
    const { json } = await service.request('POST', '/admin/v1/brands', { body: { name: 'Lights', hosts: ['lights.example'] } })
    const readVisibility = async () => service.brands.find(json.id)?.models.get('imgA-5.0')?.visibility
    await page.goto(`${service.origin}/console/brands`)
    await page.getByRole('button', { name: 'Visibility' }).last().click()
    const choice = page.getByLabel('Visibility: imgA-5.0')
    await choice.selectOption('hidden')
    const question = page
      .getByRole('dialog')
      .filter({ hasText: 'Clients of Lights may no longer be able to use imgA-5.0.' })
      .last()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect([await choice.inputValue(), await readVisibility()]).toEqual(['', undefined])
    const defaultOption = choice.locator('option').first()
    expect(await defaultOption.textContent()).toBe('default: can be used')
    await choice.selectOption('hidden')
    await question.getByRole('button', { name: 'Change it' }).click()
    await expect.poll(() => choice.inputValue()).toBe('hidden')
    expect(await defaultOption.textContent()).toBe('Default')
    expect(await readVisibility()).toBe('hidden')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  })

  it('the live log shows new lines, and can be filtered by task', async () => {
    const { service } = openedConsole
    const { page } = visit
    await page.getByRole('link', { name: 'Live log' }).click()
    const task = 'task_0197c0d1b1a27c3e9f00112233445566'
    const line = { level: 30, time: Date.now(), msg: 'the first line' }
    service.logTail.add(JSON.stringify(line))
    await page.getByRole('cell', { name: 'the first line' }).waitFor()
    service.logTail.add(JSON.stringify({ ...line, msg: 'the line of a task', task }))
    await page.getByRole('searchbox').fill(task)
    await page.getByRole('cell', { name: 'the line of a task' }).waitFor()
    await expect.poll(() => page.getByRole('cell', { name: 'the first line' }).count()).toBe(0)
    const { json } = await service.request('GET', '/admin/v1/log?after=1')
    expect(json.items).toMatchObject([{ no: 2, level: 'info', message: 'the line of a task', task }])
  })
})
