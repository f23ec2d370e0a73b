/**
 * Version of the export format. An export has a first line, a line for each row, and a last line
 * with the number of rows of each table. Every row follows the rows that it refers to.
 *
 *   {"framegate_export":1,"made_at":...}
 *   ["accounts",{"no":1,...}]
 *   {"end":true,"rows":{"accounts":1,...}}
 */
export const exportVersion = 1

/**
 * The exported tables. `orderBy` is the sort order of the rows. `omittedColumns` are the columns
 * that only SQLite has. An export omits `migrations`, `config_version`, the tables that are derived
 * from others, and console sessions. Users of the console must therefore log in again after an
 * import.
 */
export const exportedTables: readonly (readonly [table: string, orderBy: string, omittedColumns: readonly string[]])[] = [
  ['brands', 'no', []],
  ['brand_models', 'brand_no, model', []],
  ['brand_logos', 'brand_no', []],
  ['accounts', 'no', ['last_entry_no']],
  ['api_keys', 'no', []],
  ['api_key_secrets', 'no', []],
  ['prices', 'no', []],
  ['tasks', 'no', ['hold_entry_no']],
  ['task_images', 'task_no', []],
  ['assets', 'no', []],
  ['uploads', 'no', []],
  ['task_assets', 'task_no, asset_no', []],
  ['task_attempts', 'task_no, number', []],
  ['forwarded_requests', 'no', ['hold_entry_no']],
  ['route_snapshots', 'no', []],
  ['slot_pools', 'no', []],
  ['stored_upstreams', 'name', []],
  ['stored_routes', 'name', []],
  ['stored_models', 'id', []],
  ['model_versions', 'no', []],
  ['entries', 'no', ['previous_no']],
  ['grants', 'no', []],
  ['grant_parts', 'entry_no, grant_no', []],
  ['usage', 'account_no, key_no, model, route_no, day', []],
  ['erasures', 'account_no', []],
  ['prompt_sweeps', 'retention', []],
  ['prompts_left', 'task_no', []],
  ['idempotency_keys', 'task_no', []],
  ['results', 'task_no, position', []],
  ['audit_log', 'no', []],
  ['events', 'no', []],
  ['event_subscribers', 'account_no', []],
  ['event_feeds', 'account_no', []],
  ['webhook_endpoints', 'no', []],
  ['webhook_secrets', 'account_no', []],
  ['task_webhooks', 'task_no', []],
  ['webhook_deliveries', 'no', []],
  ['webhook_attempts', 'delivery_no, number', []],
  ['settings', 'name', []],
]

export type Row = Record<string, unknown>

export type ExportLine =
  | { framegate_export: number; made_at: number }
  | [table: string, row: Row]
  | { end: true; rows: RowCounts }

export type RowCounts = Record<string, number>
