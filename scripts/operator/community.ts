/** `npm run community` shows the community's name, accent colour and announcement, or changes one. */
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import { accentSchema } from '#contract/community/community-identity.ts'
import { accentNames } from '#contract/community/community-limits.ts'
import { announcementSchema, communityNameSchema } from '#contract/field-schemas.ts'
import type { Config } from '#server/config.ts'
import { connectToDatabase } from '#server/database/open-database.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { getCommandOperator, recordOperatorAct } from '#server/features/admin/operator-acts.ts'
import {
  readCommunityIdentity,
  writeCommunityIdentity,
} from '#server/features/community/community-identity.ts'
import {
  readCommunitySettings,
  writeCommunitySettings,
} from '#server/features/community/community-settings.ts'
import { createServerLogger } from '#server/log.ts'
import { openConfiguredDatabase } from '../open-configured-database.ts'
import { readInstanceConfig, runOperatorCommand, UsageError } from '../operator-command.ts'

const changes: Record<string, (db: Kysely<DatabaseTables>, word: string) => Promise<string[]>> = {
  name: (db, word) => writeCommunitySettings(db, { name: check(communityNameSchema, word) }),
  accent: (db, word) =>
    writeCommunityIdentity(db, { accent: word === 'none' ? null : check(accentSchema, word) }),
  announcement: (db, word) => writeCommunityIdentity(db, { announcement: check(announcementSchema, word) }),
}

function check<S extends z.ZodMiniType>(schema: S, word: string): z.output<S> {
  const result = schema.safeParse(word)
  if (result.success) return result.data
  throw new UsageError(result.error.issues[0]?.message ?? 'This value is not valid.')
}

async function describe(db: Kysely<DatabaseTables>, config: Config): Promise<string> {
  const { name } = await readCommunitySettings(db, config)
  const { accent, announcement } = await readCommunityIdentity(db)
  return [`Name: ${name}`, `Accent: ${accent ?? 'none'}`, `Announcement: ${announcement || 'none'}`].join(
    '\n',
  )
}

await runOperatorCommand({
  usage: [
    'npm run community',
    'npm run community -- name "<name>"',
    `npm run community -- accent ${accentNames.join('|')}|none`,
    'npm run community -- announcement "<text, or nothing>"',
  ],
  async work({ words: [field, word, ...more] }) {
    const change = field === undefined ? undefined : changes[field]
    if (field !== undefined && (!change || word === undefined || more.length > 0))
      throw new UsageError('Give one field and its value, in quotes.')
    const config = readInstanceConfig()
    const configured = await openConfiguredDatabase(config)
    const database = connectToDatabase({ url: configured.url, log: createServerLogger('warn') })
    try {
      await database.kysely.transaction().execute(async (db) => {
        const fields = (await change?.(db, word ?? '')) ?? []
        if (fields.length > 0)
          await recordOperatorAct(db, 'community.update', { by: getCommandOperator(), detail: { fields } })
      })
      console.log(await describe(database.kysely, config))
      return 0
    } finally {
      await database.close()
      await configured.stop()
    }
  },
})
