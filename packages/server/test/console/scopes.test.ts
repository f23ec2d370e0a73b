import type { KeyScope } from '@framegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainPng } from '../plain-png.ts'
import { goTo, pages } from './console-pages.ts'
import { chromiumPath } from '../launch-chromium.ts'
import { openConsole, type OpenedConsole } from './open-console.ts'

const operatorPages = pages.slice(pages.indexOf('overview'))
const readingPages = ['gallery', 'tasks', 'assets', 'usage', 'ledger']

describe.skipIf(chromiumPath === undefined)('a key with few scopes in the console', () => {
  let openedConsole: OpenedConsole
  beforeAll(async () => {
    openedConsole = await openConsole()
  })
  afterAll(async () => {
    await openedConsole[Symbol.asyncDispose]()
  })

  const cases: readonly [readonly KeyScope[], forbiddenAccountPages: readonly string[]][] = [
    [['tasks:read', 'tasks:write'], ['webhooks']],
    [['tasks:read'], ['compare', 'webhooks']],
    [['tasks:write'], ['compare', ...readingPages, 'webhooks']],
    [['webhooks:write'], ['compare', ...readingPages]],
  ]
  it.each(cases)(
    'a key with the scopes %j opens its pages, the other pages name the missing permission, and the console sends no request that is rejected with 403',
    async (scopes, forbiddenAccountPages) => {
      const { service } = openedConsole
      const account = await service.newAccount(10, scopes)
      const { page, complaints, context } = await openedConsole.signIn(account.key)
      const refusedUrls: string[] = []
      page.on('response', (response) => {
        if (response.status() === 403) refusedUrls.push(response.url())
      })
      const forbiddenPages: string[] = []
      for (const path of pages) {
        await goTo(page, path)
        if (await page.getByRole('heading', { level: 1, name: 'Permission missing' }).isVisible()) {
          forbiddenPages.push(path)
          expect(await page.locator('main button').allInnerTexts()).toEqual(['Sign in with another key'])
        }
      }
      expect(forbiddenPages).toEqual([...pages.filter((path) => forbiddenAccountPages.includes(path)), ...operatorPages])
      const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()
      expect(links.map((name) => name.toLowerCase())).toEqual(
        pages.filter((path) => !path.includes('/') && path !== 'compare' && !forbiddenPages.includes(path)),
      )
      expect([refusedUrls, complaints]).toEqual([[], []])
      await context.close()
    },
  )

  it('a page that a key may not open names the missing permission in the language of the browser, and another key opens it', async () => {
    const { service } = openedConsole
    const account = await service.newAccount(1, ['tasks:read'])
    const visit = await openedConsole.visit({ locale: 'zh-CN' })
    const { page } = visit
    await page.getByLabel('API 密钥').fill(account.key)
    await page.getByRole('button', { name: '登录' }).click()
    await page.getByRole('link', { name: '任务' }).waitFor()
    await page.goto(`${service.origin}/console/accounts`)
    await page.getByRole('heading', { level: 1, name: '缺少权限' }).waitFor()
    await page.getByRole('listitem').getByText('运营本服务').waitFor()
    await page.getByRole('button', { name: '用其他密钥登录' }).click()
    await page.getByLabel('API 密钥').fill(service.key)
    await page.getByRole('button', { name: '登录' }).click()
    await page.getByRole('heading', { level: 1, name: '账户' }).waitFor()
  })

  it("a brand's key with the scope admin gets the message that the page is for operators of the installation", async () => {
    const { service } = openedConsole
    const createdBrand = await service.request('POST', '/admin/v1/brands', { body: { name: 'Lights', hosts: ['localhost'] } })
    const brand = service.brands.find(createdBrand.json.id)
    const account = await service.newAccount(1, ['tasks:read', 'admin'], {}, brand ?? { no: 0 })
    const context = await openedConsole.browser.newContext()
    const page = await context.newPage()
    await page.goto(`${service.origin.replace('127.0.0.1', 'localhost')}/console/books`)
    await page.getByLabel('API key').fill(account.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Only the operator of the whole installation may open this page.').waitFor()
  })

  it('a key with only the scope admin opens the overview first', async () => {
    const account = await openedConsole.service.newAccount(0, ['admin'])
    const { page } = await openedConsole.visit()
    await page.getByLabel('API key').fill(account.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  it('a key with only the scope tasks:write sees the id of its task, and the console causes no error', async () => {
    const { service } = openedConsole
    const account = await service.newAccount(1, ['tasks:write'])
    const { page, complaints } = await openedConsole.signIn(account.key)
    await page.goto(`${service.origin}/console/models/imgA-5.0`)
    await page.getByText('This key shows no prices').waitFor()
    await page.getByRole('textbox', { name: 'Prompt' }).fill('a paper boat')
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByText('This key shows neither its progress nor its result').waitFor()
    await page
      .getByRole('region', { name: 'Result' })
      .getByText(/^task_/)
      .waitFor()
    expect(complaints).toEqual([])
  })

  it('a key that loses the scope tasks:write sees assets without controls to change them, and a form that it cannot submit', async () => {
    const { service } = openedConsole
    const account = await service.newAccount(1, ['tasks:read', 'tasks:write'])
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(plainPng(8, 8))], { type: 'image/png' }), 'tiny.png')
    await fetch(`${service.baseUrl}/v2/assets`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${account.key}` },
    })
    const { page } = await openedConsole.signIn(account.key)
    await page.getByRole('link', { name: 'Assets' }).click()
    await page.getByRole('button', { name: 'Delete tiny.png' }).waitFor()
    // The scope is removed while the page is open, so the next request is rejected.
    await service.request('PATCH', `/admin/v1/keys/${account.keyId}`, { body: { scopes: ['tasks:read'] } })
    await page.getByRole('button', { name: 'Delete tiny.png' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).last().click()
    await page
      .getByRole('dialog')
      .getByText(/lacks the scope tasks:write/)
      .waitFor()
    await page.getByText('This key cannot change them').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('main button').allInnerTexts()).toEqual(['Copy reference'])
    await page.goto(`${service.origin}/console/models/imgA-5.0`)
    await page.getByText('This key cannot upload files').first().waitFor()
    expect(await page.getByRole('button', { name: 'Generate' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Upload' }).count()).toBe(0)
  })
})
