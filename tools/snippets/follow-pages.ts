import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type StartedServer } from '../../packages/server/test/started-server.ts'
import { publishedPackage, type PublishedPackage } from '../../packages/sdk/test/published-package.ts'
import { prepareExamples } from './command-line-page.ts'
import { compareOutput } from './compare-output.ts'
import { trySnippet, whyNoPython } from './languages.ts'
import { repository, type Page } from './pages.ts'
import { checkPrograms, installPackages } from './programs.ts'
import { installCommands, openReader, type Reader } from './reader.ts'
import { openSimulatedProviders, type SimulatedProviders } from './simulated-providers.ts'

/**
 * Defines tests that follow pages from top to bottom: every block must work and print what the page
 * shows. The pages share a service, like a reader of several pages, but no files: no page may need
 * a file of another one.
 */
export function followPages(pages: readonly Page[]): void {
  let published: PublishedPackage
  let server: StartedServer
  let providers: SimulatedProviders
  beforeAll(async () => {
    published = publishedPackage()
    installCommands(published.project)
    installPackages(published.project, repository)
    providers = await openSimulatedProviders()
    server = await startServer(path.join(published.project, 'data'), {
      // 127.0.0.1: the receivers of webhooks that the pages start.
      FRAMEGATE_ALLOW_HOSTS: `${providers.hosts},127.0.0.1`,
    })
  }, 120_000)
  afterAll(async () => {
    await server?.kill()
    await providers?.[Symbol.asyncDispose]()
    published?.[Symbol.dispose]()
  })

  const noPython = whyNoPython()

  it('the programs of the pages compile in a project that has installed the SDK', () => {
    const snippets = pages.flatMap((page) => page.snippets)
    expect(checkPrograms(published.project, repository, snippets)).toEqual([])
  })

  const followed = pages.filter(({ snippets }) => snippets.some(({ notRunFor }) => notRunFor === null))
  describe.each(followed)('$name', ({ name, snippets }) => {
    let reader: Reader
    beforeAll(() => {
      const folder = path.join(published.project, 'pages', name.replaceAll('/', '-'))
      // The first page for every reader shows that npm's own works.
      const npx = name === 'README.md' ? 'of npm' : 'direct'
      reader = openReader(folder, published.project, repository, server, { providers, npx })
    })

    // In order, because each block builds on those above it.
    const tried = snippets.filter(({ notRunFor }) => notRunFor === null)
    it.for(tried)('the $language block at $place works as the page shows', { timeout: 120_000 }, async (snippet, { skip }) => {
      const { language, output } = snippet
      if (language === 'python' && noPython !== null) skip(noPython)
      const text = name === 'docs/cli.md' ? await prepareExamples(snippet.text, reader) : snippet.text
      const printed = reader.normalized(await trySnippet({ ...snippet, text }, reader))
      if (output !== null) expect(compareOutput(output, printed), output.place).toEqual([])
    })
  })
}
