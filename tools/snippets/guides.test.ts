import { followPages } from './follow-pages.ts'
import { pages } from './pages.ts'

followPages(pages.filter(({ name }) => name.startsWith('docs/guides/')))
