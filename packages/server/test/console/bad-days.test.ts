import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDialog } from './console-dialogs.ts'
import { chromiumPath } from '../launch-chromium.ts'
import { openConsole, type OpenedConsole } from './open-console.ts'

describe.skipIf(chromiumPath === undefined)("ended sessions, lost responses and a brand's host in the console", () => {
  let openedConsole: OpenedConsole
  beforeAll(async () => {
    openedConsole = await openConsole()
  })
  afterAll(async () => {
    await openedConsole[Symbol.asyncDispose]()
  })

  it('after the end of a session a dialog asks for the key, and then the prompt is sent and stays in the form', async () => {
    const { service } = openedConsole
    const { page } = await openedConsole.signIn()
    await page.goto(`${service.origin}/console/models/imgA-5.0`)
    await page.getByRole('textbox', { name: 'Prompt' }).fill('a prompt that must not be lost')
    let isFirstSubmit = true
    // Without this wait, the session might end before the request for the price.
    await page.getByText('0.04 credits', { exact: true }).waitFor()
    // If the session ended before the click, any other request could open the dialog, which would
    // cover the button.
    await page.route(/\/tasks$/, async (route) => {
      if (route.request().method() === 'POST' && isFirstSubmit) {
        isFirstSubmit = false
        await service.store.database.deleteFrom('console_sessions').execute()
      }
      await route.continue()
    })
    await page.getByRole('button', { name: 'Generate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('API key').fill(service.key)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('status').getByText('Queued').waitFor()
    expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('a prompt that must not be lost')
    await page.reload()
    await expect.poll(() => page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('a prompt that must not be lost')
  })

  it('the overview loads its usage again after a failed request, and the error disappears', async () => {
    const { page } = await openedConsole.signIn()
    await page.route(/\/usage\?.*by=model/, (route) => route.abort(), { times: 1 })
    await page.goto(`${openedConsole.service.origin}/console/overview`)
    const error = page.getByText(/^The service cannot be reached/)
    await error.waitFor()
    await error.waitFor({ state: 'detached', timeout: 10_000 })
  })

  it('the overview shows that the service is not ready, and the notice disappears when it is ready again', async () => {
    const { page } = await openedConsole.signIn()
    const error = { type: 'server_error', code: 'overloaded', message: 'The database is not writable (SQLITE_FULL).' }
    await page.route('**/readyz', (route) => route.fulfill({ status: 503, json: { error } }), { times: 1 })
    await page.goto(`${openedConsole.service.origin}/console/overview`)
    const incident = page.getByRole('listitem').filter({ hasText: 'The service is not ready and may reject new tasks' })
    await incident.getByText(error.message).waitFor()
    await incident.waitFor({ state: 'detached', timeout: 10_000 })
  })

  /**
   * Forms: page, button that opens the form, values by label, button that sends it, and button of
   * its confirmation dialog.
   */
  const forms: readonly (readonly [
    path: string,
    opener: string,
    values: Record<string, string>,
    send: string,
    confirm?: string,
  ])[] = [
    ['ledger', 'Low balance', { Credits: '5' }, 'Save'],
    ['keys', 'Create a key', { Name: 'website' }, 'Create'],
    ['webhooks', 'Add a webhook', { Address: 'https://hooks.example.com/kept' }, 'Create'],
    ['assets', 'Import from an address', { Address: 'https://example.com/boat.png' }, 'Import from an address'],
    ['accounts', 'Create an account', { Name: 'Studio' }, 'Create'],
    ['accounts/acct_1', 'Grant credits', { Credits: '5' }, 'Grant credits', 'Grant credits'],
    ['accounts/acct_1', 'Correct the balance', { Credits: '-5', Note: 'too many' }, 'Correct the balance', 'Correct the balance'],
    ['brands', 'Create a brand', { Name: 'Aurora' }, 'Create'],
    ['upstreams', 'Add a provider', { Name: 'fal-main', Driver: 'fal', 'API key': 'secret' }, 'Create'],
    [
      'routes',
      'Add a route',
      { Name: 'kite', 'Model ID': 'vidDq3-turbo', Provider: 'fal-main', 'Name of the model at the provider': 'a/b' },
      'Create',
      'Create',
    ],
    ['prices', 'Set a price', { Model: 'imgA-5.0', Unit: 'task', 'Credits at 1K': '0.123' }, 'Try it'],
  ]

  it('a session that ends while a form is filled in asks for the key, and then the form is sent with all its values', async () => {
    const { service } = openedConsole
    const { page } = await openedConsole.signIn()
    for (const [path, opener, values, send, confirm] of forms) {
      const dialog = await openDialog(page, path, opener)
      for (const [label, value] of Object.entries(values)) {
        const choice = dialog.getByRole('combobox', { name: label, exact: true })
        if ((await choice.count()) > 0) await choice.selectOption(value)
        else await dialog.getByLabel(label, { exact: true }).fill(value)
      }
      await service.store.database.deleteFrom('console_sessions').execute()
      // The service limits sign-ins by time.
      service.clockAheadMs += 10_000
      const responseReceived = page.waitForResponse(
        (response) => response.request().method() !== 'GET' && response.ok() && isOfApi(response.url()),
      )
      // A refresh of the list behind the form may open the dialog for the key before the click,
      // which it would block.
      const press = (scope: string, name: string) =>
        page
          .locator(`${scope} button`)
          .filter({ hasText: new RegExp(`^${name}$`) })
          .dispatchEvent('click')
      await press('dialog[open]', send)
      if (confirm !== undefined) await press('dialog[open] dialog[open]', confirm)
      const signIn = page.getByRole('dialog', { name: 'Your session has ended' })
      await signIn.getByLabel('API key').fill(service.key)
      await signIn.getByRole('button', { name: 'Sign in' }).click()
      const request = (await responseReceived).request()
      const body = withoutSpaces(`${request.url()} ${request.postData() ?? ''}`)
      for (const value of Object.values(values)) expect(body).toContain(withoutSpaces(value))
      await signIn.waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await page.locator('dialog[open]').waitFor({ state: 'detached' })
    }
  })

  it('a submit or a grant whose response is lost takes effect only once although the user repeats it', async () => {
    const { service } = openedConsole
    const account = await service.newAccount(10)
    const { page, context } = await openedConsole.signIn()
    /** Executes the next request to this path, and loses its response. */
    const loseResponse = (path: RegExp) =>
      page.route(
        path,
        async (route) => {
          await route.fetch()
          await route.abort()
        },
        { times: 1 },
      )
    await page.goto(`${service.origin}/console/models/imgA-5.0`)
    const countTasks = async () => (await service.request('GET', '/v2/model-center/tasks')).json.items.length
    const tasksBefore = await countTasks()
    await page.getByRole('textbox', { name: 'Prompt' }).fill('a boat that is paid once')
    await loseResponse(/model-center\/tasks$/)
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor()
    expect(await countTasks()).toBe(tasksBefore + 1)
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('status').getByText('Queued').waitFor()
    expect(await countTasks()).toBe(tasksBefore + 1)
    await page.getByRole('button', { name: 'Generate' }).click()
    await expect.poll(countTasks).toBe(tasksBefore + 2)

    const dialog = await openDialog(page, `accounts/${account.accountId}`, 'Grant credits')
    await dialog.getByLabel('Credits').fill('5')
    await loseResponse(/grants$/)
    const grantCredits = async (): Promise<void> => {
      await dialog.getByRole('button', { name: 'Grant credits' }).click()
      await page.locator('dialog[open] dialog[open]').getByRole('button', { name: 'Grant credits' }).click()
    }
    await grantCredits()
    await dialog.getByText('The service cannot be reached.').waitFor()
    await grantCredits()
    // For a moment, the confirmation dialog is open as well.
    await dialog.first().waitFor({ state: 'detached' })
    expect((await service.request('GET', `/admin/v1/accounts/${account.accountId}`)).json.balance).toBe(15)
    await context.close()
  })

  it('a part of a page or a dialog that cannot be loaded shows its error, and a button that loads it again', async () => {
    const { service } = openedConsole
    const { page, context } = await openedConsole.signIn()
    const failOnce = (path: RegExp) => page.route(path, (route) => route.abort(), { times: 1 })
    const problem = page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' })
    const retry = async (): Promise<void> => {
      await problem.getByRole('button', { name: 'Try again' }).click()
      await problem.waitFor({ state: 'detached' })
    }
    await failOnce(/\/v2\/usage\?.*by=model$/)
    await page.goto(`${service.origin}/console/usage`)
    await retry()
    await page.getByRole('group', { name: 'Usage' }).waitFor()
    await page.goto(`${service.origin}/console/ledger`)
    await failOnce(/\/v2\/credits\/alert$/)
    await page.getByRole('button', { name: 'Low balance' }).click()
    await retry()
    await page.getByRole('dialog', { name: 'Low balance' }).getByLabel('Credits').waitFor()
    await context.close()
  })

  it('a lost network, too few credits and a prompt that is too long are explained, and the prompt stays', async () => {
    const { service } = openedConsole
    const poorAccount = await service.newAccount(0)
    const { page, context } = await openedConsole.signIn(poorAccount.key)
    await page.goto(`${service.origin}/console/models/imgA-5.0`)
    const prompt = page.getByRole('textbox', { name: 'Prompt' })
    await prompt.fill('a paper boat')
    await page.getByText('The account has too few credits for this.').first().waitFor()
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('alert').getByText('The account has too few credits for this.').waitFor()
    await prompt.fill('🛶'.repeat(5_001))
    await page.getByText('5,001 / 5,000').waitFor()
    await prompt.fill('x'.repeat(20_000))
    await page.getByText('20,000 / 5,000').waitFor()
    await page.getByText(/prompt must be .*5,000/).waitFor()
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor()
    expect((await prompt.inputValue()).length).toBe(20_000)
  })

  it("a brand's host shows the name and the color of the brand, its models only, and no product name", async () => {
    const { service } = openedConsole
    const createdBrand = await service.request('POST', '/admin/v1/brands', {
      body: { name: 'Northern Lights', hosts: ['localhost'], color: '#1a7f64' },
    })
    await service.brands.setBrandModel(createdBrand.json.id, 'vidDq3-turbo', { visibility: 'hidden' })
    const brand = service.brands.find(createdBrand.json.id)
    const account = await service.newAccount(10, ['tasks:write', 'tasks:read'], {}, brand ?? { no: 0 })
    const context = await openedConsole.browser.newContext()
    const page = await context.newPage()
    await page.goto(`${service.origin.replace('127.0.0.1', 'localhost')}/console`)
    await page.getByLabel('API key').fill(account.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Models' }).waitFor()
    await page.getByRole('link', { name: 'ImgA 5.0 image generation' }).waitFor()
    expect(await page.title()).toContain('Northern Lights')
    expect(await page.getByRole('link', { name: /VidD Q3 Turbo/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'ImgA 5.0 image generation' }).click()
    await page.getByRole('tab', { name: 'Code' }).click()
    await page.getByText('$API_KEY').first().waitFor()
    expect(await page.locator('html').innerText()).not.toMatch(/framegate/i)
    expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent-light')")).toBe('#1a7f64')
  })
})

/** Removes the spaces of a value, because JSON that the console sends has none. */
function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '')
}

function isOfApi(url: string): boolean {
  return url.includes('/console/api/')
}
