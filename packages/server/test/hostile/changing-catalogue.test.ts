import path from 'node:path'
import { describeChangingCatalogue } from '../changing-catalogue.suite.ts'
import { startServer } from '../started-server.ts'

describeChangingCatalogue('SQLite', {
  processes: 1,
  start: (_which, environment) =>
    startServer(path.join(path.dirname(environment['FRAMEGATE_CONFIG'] ?? ''), 'data'), environment),
})
