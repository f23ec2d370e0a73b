import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type StartedServer } from '../../packages/server/test/started-server.ts'
import { publishedPackage, type PublishedPackage } from '../../packages/sdk/test/published-package.ts'
import { prepareExamples } from './command-line-page.ts'
import { compareOutput } from './compare-output.ts'
import { runSnippet, findPythonProblem } from './languages.ts'
import { repository, type Page } from './pages.ts'
import { checkPrograms, installPackages, installProvider } from './programs.ts'
import { installCommands, openReader, type Reader } from './reader.ts'
import { openSimulatedProviders, type SimulatedProviders } from './simulated-providers.ts'

/**
 * Defines tests that follow pages from top to bottom: every block must succeed and print the output
 * shown on the page. All pages use the same service, as if one reader followed them, but each has
 * its own folder, and begins without upstreams and models, so that it cannot depend on another
 * page.
 */
export function followPages(pages: readonly Page[]): void {
  let publishedProject: PublishedPackage
  let server: StartedServer
  let providers: SimulatedProviders
  beforeAll(async () => {
    publishedProject = publishedPackage()
    installCommands(publishedProject.project)
    installPackages(publishedProject.project, repository)
    if (pages.some(({ name }) => name === 'packages/ai-sdk-provider/README.md')) installProvider(publishedProject.project)
    providers = await openSimulatedProviders()
    server = await startServer(path.join(publishedProject.project, 'data'), {
      // 127.0.0.1 is permitted for the webhook receivers that the pages start.
      FRAMEGATE_ALLOW_HOSTS: `${providers.hosts},127.0.0.1`,
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${new URL('./small-results.fixture.ts', import.meta.url).href}`,
    })
  }, 120_000)
  afterAll(async () => {
    await server?.kill()
    await providers?.[Symbol.asyncDispose]()
    publishedProject?.[Symbol.dispose]()
  })

  const pythonProblems = { requests: findPythonProblem('requests'), httpx: findPythonProblem('httpx') }

  it('the programs of the pages compile in a project that has installed the SDK', () => {
    const snippets = pages.flatMap((page) => page.snippets)
    expect(checkPrograms(publishedProject.project, repository, snippets)).toEqual([])
  })

  const testedPages = pages.filter(({ snippets }) => snippets.some(({ reasonNotRun }) => reasonNotRun === null))
  describe.each(testedPages)('$name', ({ name, snippets }) => {
    let reader: Reader
    beforeAll(async () => {
      await removeSettings(server)
      const folder = path.join(publishedProject.project, 'pages', name.replaceAll('/', '-'))
      // One page uses npm's real npx, to test that it works too.
      const npx = name === 'README.md' ? 'of npm' : 'direct'
      reader = openReader(folder, publishedProject.project, repository, server, { providers, npx })
    })

    // Blocks run in order, because each builds on those above it.
    const snippetsToRun = snippets.filter(({ reasonNotRun }) => reasonNotRun === null)
    it.for(snippetsToRun)(
      'the $language block at $place works as the page shows',
      { timeout: 120_000 },
      async (snippet, { skip }) => {
        const { language, output } = snippet
        // Programs with the Python client need the package httpx, and all other Python programs
        // need the package requests.
        const pythonProblem = pythonProblems[/^from framegate import/m.test(snippet.text) ? 'httpx' : 'requests']
        if (language === 'python' && pythonProblem !== null) skip(pythonProblem)
        const text = name === 'docs/cli.md' ? await prepareExamples(snippet.text, reader) : snippet.text
        const laterSnippets = snippetsToRun.slice(snippetsToRun.indexOf(snippet) + 1)
        const printed = reader.withDefaultAddress(await runSnippet({ ...snippet, text }, reader, laterSnippets))
        if (output !== null) expect(compareOutput(output, printed), output.place).toEqual([])
      },
    )
  })
}

/** Removes the routes, upstreams and models that other pages have set. */
async function removeSettings(server: StartedServer): Promise<void> {
  for (const path of ['/admin/v1/routes', '/admin/v1/upstreams', '/admin/v1/models']) {
    const { items } = (await (await server.request('GET', path)).json()) as { items: ListedSetting[] }
    for (const item of items.filter(({ source }) => source === 'api')) {
      const name = 'name' in item ? item.name : item.id
      const response = await server.request('DELETE', `${path}/${encodeURIComponent(name)}`)
      expect(response.ok, `${path}/${name}: ${response.status}`).toBe(true)
    }
  }
}

type ListedSetting = { source: string } & ({ name: string } | { id: string })
