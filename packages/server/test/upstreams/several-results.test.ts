import { describeSeveralResults } from './several-results.suite.ts'

describeSeveralResults(undefined)
