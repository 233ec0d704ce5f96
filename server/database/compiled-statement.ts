/** Composing a statement takes as long as running it, so each statement is compiled once (decision 0201). */
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseTables } from './schema.ts'

class NamedValue {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** The value is sent once, however often the statement uses it. */
export type BindNamedValue<Values> = <Name extends keyof Values & string>(
  name: Name,
) => RawBuilder<Values[Name]>

/** @param build called once: apart from the values, the statement never changes */
export function compileStatementOnce<Values extends Record<string, unknown>, Row>(
  build: (value: BindNamedValue<Values>) => RawBuilder<Row>,
): (db: Kysely<DatabaseTables>, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery | undefined
  return async (db, values) => {
    compiled ??= mergeNamedValues(build((name) => sql`${new NamedValue(name)}`).compile(db))
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof NamedValue ? values[parameter.name] : parameter,
    )
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}

function mergeNamedValues(compiled: CompiledQuery): CompiledQuery {
  const parameters: unknown[] = []
  const numberOfName = new Map<string, number>()
  const numbers = compiled.parameters.map((parameter) => {
    const known = parameter instanceof NamedValue ? numberOfName.get(parameter.name) : undefined
    const number = known ?? parameters.push(parameter)
    if (parameter instanceof NamedValue) numberOfName.set(parameter.name, number)
    return number
  })
  return {
    ...compiled,
    parameters,
    sql: compiled.sql.replace(/\$(\d+)/g, (_, number) => `$${numbers[Number(number) - 1]}`),
  }
}
