/** Every text and every list needs a limit. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { commentSchema, createCommentOperation } from '#contract/comments/comments.ts'
import { errorCatalogue } from '#contract/errors.ts'
import { groupSchema, updateGroupOperation } from '#contract/groups/groups.ts'
import { apiOperations } from '#contract/index.ts'
import { profileSchema, updateProfileOperation } from '#contract/people/people.ts'
import { postSchema, updatePostOperation } from '#contract/posts/posts.ts'
import { documentCollections } from '#server/appwrite/documents/document-collections.ts'
import { ownTexts } from '#server/database/personal-columns.ts'
import { servedOperations } from '#server/route.ts'
import { createTestWorld, type TestWorld } from '../support/world.ts'

type Shape = Omit<z.core.JSONSchema.BaseSchema, 'properties' | 'items' | 'anyOf'> & {
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

const root = join(import.meta.dirname, '..', '..')

describe('the running server', () => {
  let w: TestWorld
  beforeAll(async () => {
    w = await createTestWorld()
  })
  afterAll(() => w.end())

  test('the server serves exactly the operations of the contract', () => {
    expect([...servedOperations.keys()].sort()).toEqual(
      apiOperations.map((operation) => operation.name).sort(),
    )
    expect(new Set(apiOperations.map(({ method, path }) => `${method} ${path}`)).size).toBe(
      apiOperations.length,
    )
  })

  test('operations declare only error types of the catalogue', () => {
    for (const operation of apiOperations)
      for (const type of operation.errors) expect(errorCatalogue).toHaveProperty(type)
  })

  test('every table has exactly the columns of its TypeScript type', async () => {
    const { rows } = await w.database.pool.query<{ table_name: string; column_name: string }>(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and table_name <> 'migrations'`,
    )
    const inDatabase = rows.map((row) => `${row.table_name}.${row.column_name}`)
    const unseen = new Set(['groups.admin_role'])
    expect(inDatabase.filter((column) => !unseen.has(column)).sort()).toEqual(columnsOfTypes().sort())
  })

  test('D05 every text and list in a request has a maximum length, in both APIs', () => {
    const endless = (
      { type, properties = {}, items, anyOf = [], ...about }: Shape,
      place: string,
    ): string[] => {
      const inside = [
        ...Object.entries(properties).map(([name, shape]) => [`${place}.${name}`, shape] as const),
        ...anyOf.map((shape) => [place, shape] as const),
        ...(items ? [[`${place}[]`, items] as const] : []),
      ].flatMap(([at, shape]) => endless(shape, at))
      const bounded = {
        string: about.maxLength ?? about.pattern ?? about.enum ?? about.const,
        array: about.maxItems,
      }
      return (type === 'string' || type === 'array') && bounded[type] === undefined
        ? [place, ...inside]
        : inside
    }
    const shapeOf = (schema: z.ZodMiniType) => z.toJSONSchema(schema, { io: 'input' }) as Shape
    const inOperations = apiOperations.flatMap(({ name, input }) => endless(shapeOf(input), name))
    // The server only compares these: ids of actors, and the name that confirms a deletion.
    expect(inOperations.filter((place) => !/\.\w+Id$|^deleteGroup\.name$/.test(place))).toEqual([])
    expect(new Set(inOperations.map((place) => place.split('.')[1]))).toEqual(
      new Set(['userId', 'followerId', 'adminId', 'currentUserId', 'senderId', 'name']),
    )
    const inDocuments = Object.values(documentCollections).flatMap(({ fields }) =>
      Object.entries(fields).flatMap(([name, { write }]) =>
        write.as === 'value' ? endless(shapeOf(write.shape), name) : [],
      ),
    )
    expect(inDocuments).toEqual([])
  })

  test('D05 the database limits the length of every text', async () => {
    const { rows } = await w.database.pool.query<{ place: string }>(
      `select t.relname || '.' || a.attname as place
       from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and a.attgenerated = ''
       where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and a.atttypid in ('text'::regtype, 'text[]'::regtype)
         and t.relname not in ('migrations', 'changes', 'deleted_rows')
         and not exists (
           select from pg_constraint c where c.conrelid = t.oid and c.contype = 'c' and a.attnum = any (c.conkey)
         )`,
    )
    // Operators write labels by hand.
    expect(rows.map((row) => row.place)).toEqual(['accounts.labels'])
  })
})

test.each([
  {
    noun: 'a profile',
    texts: ownTexts('users', 'profile'),
    shown: profileSchema,
    written: updateProfileOperation,
  },
  { noun: 'a post', texts: ownTexts('posts'), shown: postSchema, written: updatePostOperation },
  { noun: 'a comment', texts: ownTexts('comments'), shown: commentSchema, written: createCommentOperation },
  { noun: 'a group', texts: ownTexts('groups'), shown: groupSchema, written: updateGroupOperation },
])('members can read and change every text of $noun', ({ texts, shown, written }) => {
  expect(texts).not.toEqual([])
  expect(Object.keys(shown.shape)).toEqual(expect.arrayContaining(texts))
  // Usernames change in the settings, with the password.
  const elsewhere = ['username']
  expect(Object.keys(written.input.shape)).toEqual(
    expect.arrayContaining(texts.filter((text) => !elsewhere.includes(text))),
  )
})

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

function columnsOfTypes(): string[] {
  const text = withoutComments(readFileSync(join(root, 'server/database/schema.ts'), 'utf8'))
  const body = text.slice(text.indexOf('export type DatabaseTables = {'))
  return [...body.matchAll(/^ {2}(\w+): \{([\s\S]*?)\}$/gm)].flatMap(([, table, columns = '']) =>
    [...columns.matchAll(/(?:^|[;\n{])\s*(\w+):/g)].map(([, column]) => `${table}.${column}`),
  )
}
