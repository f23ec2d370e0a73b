// Measures the web console in Chromium, with many tasks in the account.
//   npm run bench:console -- [--tasks 100000] [--loads 10] [--only models,tasks] [--json]
// It needs Chromium on this machine. docs/performance.md explains the figures and shows results.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Browser, type Cookie, type Page } from 'playwright-core'
import { ensureBuiltProgram } from '../../tools/build/built-program.ts'
import { machineLine, thisMachine } from '../http/machine.ts'
import { median } from '../http/statistics.ts'
import { factTable, type Fact } from '../http/table.ts'
import { fillTasks } from './fill-tasks.ts'
import { benchKey, startService, type StartedService } from './started-service.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '100000' },
    loads: { type: 'string', default: '10' },
    /** Names of pages. Default: all. */
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const loads = Number(values.loads)
let session: Cookie[] | undefined
const browserPrograms = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Pages with the selector of their first usable part. */
const pages = [
  { name: 'models', path: 'models', selector: 'main input[type=search]', targetMs: 500 },
  { name: 'playground', path: 'models/imgA-5.0', selector: 'main textarea', targetMs: 500 },
  { name: 'tasks', path: 'tasks', selector: '.task-table tbody tr' },
  { name: 'gallery', path: 'gallery', selector: '.gallery-item img' },
  { name: 'usage', path: 'usage', selector: '.figures' },
  { name: 'ledger', path: 'ledger', selector: '.data-table tbody tr' },
  { name: 'overview', path: 'overview', selector: '.figures' },
] as const
const measuredPages = pages.filter(({ name }) => values.only?.split(',').includes(name) ?? true)
const scrollSteps = 60
const stepMs = 50

const folder = mkdtempSync(path.join(tmpdir(), 'framegate-bench-console-'))
try {
  const facts = await measure(folder)
  const machine = thisMachine('Chromium')
  if (values.json) console.log(JSON.stringify({ ...machine, facts }, null, 2))
  else console.log(`${machineLine(machine)}\n${factTable(facts)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(dataDir: string): Promise<Fact[]> {
  const executablePath = browserPrograms.find((program) => existsSync(program))
  if (executablePath === undefined) throw new Error('this benchmark needs Chromium (Debian: apt-get install chromium)')
  await ensureBuiltProgram()
  await makeTasks(dataDir)
  await using service = await startService(dataDir)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const facts: Fact[] = []
    for (const page of measuredPages) {
      const measured: LoadedPage[] = []
      // The first load of a page is not counted: it fills caches of the service.
      for (let load = -1; load < loads; load++) {
        const loaded = await loadPage(browser, service, page)
        if (load >= 0) measured.push(loaded)
      }
      facts.push({
        what: `${page.name}, first load until it can be used`,
        unit: 'ms',
        figure: median(measured.map(({ readyMs }) => readyMs)),
        ...('targetMs' in page && { target: `<= ${page.targetMs} ms` }),
      })
      if (page.name === 'models') {
        const kilobytes = (measured[0]?.bytes ?? 0) / 1000
        facts.push({ what: 'scripts and styles of the first load, compressed, kB', unit: '', figure: kilobytes, target: '< 100' })
      } else {
        const slowest = median(measured.map(({ slowestCallMs }) => slowestCallMs))
        facts.push({ what: `${page.name}, slowest call of the API`, unit: 'ms', figure: slowest })
      }
      console.error(`${page.name}: measured`)
    }
    for (const { name } of measuredPages) {
      if (name !== 'tasks' && name !== 'gallery') continue
      const { longestTaskMs, items } = await scroll(browser, service, name)
      facts.push(
        { what: `${name}, items loaded while scrolling`, unit: '', figure: items },
        { what: `${name}, longest blocking of the page while scrolling`, unit: 'ms', figure: longestTaskMs, target: '<= 50 ms' },
      )
    }
    return facts
  } finally {
    await browser.close()
  }
}

/** Runs one real task, and generates many tasks that share its result. */
async function makeTasks(dataDir: string): Promise<void> {
  {
    await using service = await startService(dataDir)
    const url = `${service.baseUrl}/v2/model-center/tasks`
    const headers = { authorization: `Bearer ${benchKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: 'imgA-5.0', prompt: 'a paper boat' })
    const { id } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as { id: string }
    const { status } = (await (await fetch(`${url}/${id}?wait=60`, { headers })).json()) as { status: string }
    if (status !== 'completed') throw new Error(`the task is ${status}`)
  }
  fillTasks(path.join(dataDir, 'framegate.db'), Number(values.tasks))
}

interface LoadedPage {
  /** Time from the start of the navigation until the first usable part was drawn. */
  readyMs: number
  /** Compressed size of scripts and styles. */
  bytes: number
  /** Duration of the slowest request of the page to the API, event streams excluded. */
  slowestCallMs: number
}

/**
 * Loads a page in a new browser context, whose cache is empty. The CPU of the page is not
 * throttled.
 */
async function loadPage(
  browser: Browser,
  service: StartedService,
  { path: pagePath, selector }: (typeof pages)[number],
): Promise<LoadedPage> {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  await signIn(page, service)
  await page.addInitScript(`
    globalThis.ready = new Promise((resolve) => {
      const check = () => {
        if (document.querySelector(${JSON.stringify(selector)}) === null) return requestAnimationFrame(check)
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
      }
      requestAnimationFrame(check)
    })`)
  await page.goto(`${service.origin}/console/${pagePath}`)
  const readyMs = (await page.evaluate('globalThis.ready')) as number
  await page.waitForLoadState('networkidle')
  const transfers = (await page.evaluate(`(() => {
    const resources = performance.getEntriesByType('resource')
    const files = resources.filter(({ name }) => name.includes('/console/files/'))
    const calls = resources.filter(({ name }) => name.includes('/console/api/') && !name.includes('/events'))
    return {
      bytes: files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      slowestCallMs: Math.max(0, ...calls.map(({ duration }) => duration)),
    }
  })()`)) as Omit<LoadedPage, 'readyMs'>
  return { readyMs, ...transfers }
}

/**
 * Sets the cookie of a session in the page's browser context, without loading a file of the
 * console. All pages share one session, because the service limits sign-ins.
 */
async function signIn(page: Page, { origin }: StartedService): Promise<void> {
  const context = page.context()
  if (session !== undefined) return await context.addCookies(session)
  const headers = { origin, 'sec-fetch-site': 'same-origin', 'x-console-request': '1' }
  const response = await context.request.post(`${origin}/console/session`, { data: { key: benchKey }, headers })
  if (!response.ok()) throw new Error(`signing in failed with HTTP ${response.status()}`)
  session = await context.cookies()
}

/**
 * Scrolls a list down step by step. In the list of tasks, presses "Show more" whenever that button
 * is enabled. `items` is the sum of the limits of all list requests of the page.
 */
async function scroll(
  browser: Browser,
  service: StartedService,
  name: 'tasks' | 'gallery',
): Promise<{ longestTaskMs: number; items: number }> {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  await signIn(page, service)
  await page.goto(`${service.origin}/console/${name}`)
  await page
    .locator(name === 'tasks' ? '.task-table tbody tr' : '.gallery-item')
    .first()
    .waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(`
    globalThis.longest = 0
    performance.setResourceTimingBufferSize(100_000)
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration)
    }).observe({ type: 'longtask' })`)
  await page.mouse.move(700, 500)
  for (let step = 0; step < scrollSteps; step++) {
    await page.mouse.wheel(0, 1_500)
    const moreButtons = page.locator('.more-button:enabled')
    if (name === 'tasks' && (await moreButtons.count()) > 0) await moreButtons.click()
    await page.waitForTimeout(stepMs)
  }
  await page.waitForLoadState('networkidle')
  const longestTaskMs = (await page.evaluate('globalThis.longest')) as number
  const urls = (await page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)`)) as string[]
  const items = urls
    .filter((url) => url.includes('/model-center/tasks?'))
    .reduce((sum, url) => sum + Number(new URL(url).searchParams.get('limit')), 0)
  return { longestTaskMs, items }
}
