/** Methods of supported classes that are not called here are listed in unsupported-sdk-methods.ts. */

import {
  appwriteDocumentsChannel,
  captureSdkRefusal,
  createFileFromBase64,
  listUncalledMethods,
  openRecordedSdk,
  type ReceivedSdkEvent,
  recordMethodCalls,
  type SdkScriptEnvironment,
  type SdkTestScript,
  type SdkTestUser,
  sdkPostFixture,
  sendUntilEventReceived,
  specialCharactersSearchText,
  summarizeReceivedEvents,
} from './sdk-test-script.ts'
import {
  dummySdkArguments,
  expectedUnsupportedRefusals,
  unsupportedSdkMethods,
} from './unsupported-sdk-methods.ts'

type Sdk = typeof import('appwrite-newest')

export function createNewestSdkScript(
  sdk: Sdk,
  her: SdkTestUser,
  around: SdkScriptEnvironment,
): SdkTestScript {
  const { ID, Query } = sdk
  const { newClient, plain, client, calls, uncalled, ...opened } = openRecordedSdk(sdk, her)
  const { account, databases, storage, avatars, page, picture, icon } = opened
  const tablesDb = new sdk.TablesDB(plain)
  const tables = recordMethodCalls('TablesDB', tablesDb, calls)
  const { email, phone } = her
  const signIn = (password = her.password) => account.createEmailPasswordSession({ email, password })
  const posts = { databaseId: 'main', collectionId: 'posts' }
  const inBucket = { bucketId: 'media' }
  let me = ''
  let imageId = ''

  const chapters: SdkTestScript['chapters'] = [
    {
      title: 'the server answers, and a visitor gets the guests role error',
      play: async () => [Boolean(await client.ping()), await captureSdkRefusal(() => account.get())],
      comesTo: [true, '401 general_unauthorized_scope'],
    },
    {
      title: 'she signs up, writes her profile, signs in and is recognised',
      async play() {
        const { name, username, password } = her
        const { $id: accountId } = await account.create({ userId: ID.unique(), email, password, name })
        const users = { databaseId: 'main', collectionId: 'users' }
        const data = { accountId, name, username, email, imageUrl: avatars.getInitials({ name }) }
        me = (await databases.createDocument({ ...users, documentId: ID.unique(), data })).$id
        await signIn()
        const queries = [Query.equal('accountId', accountId), Query.select(['name'])]
        const found = await databases.listDocuments({ ...users, queries })
        return {
          account: (await account.get()).$id === accountId,
          profile: found.documents.map(({ $id }) => $id === me),
          fallback: around.fallback() !== null,
        }
      },
      comesTo: { account: true, profile: [true], fallback: her.keepsFallback },
    },
    {
      title: 'she changes what her account says',
      async play() {
        const { password } = her
        const prefs = { theme: 'dark' }
        const said = [
          (await account.updateName({ name: `${her.name} Sol` })).name,
          (await account.updatePrefs({ prefs })).prefs,
          await account.getPrefs(),
          (await account.updatePhone({ phone, password })).phone,
          (await account.updateEmail({ email: `otra.${email}`, password })).email,
          (await account.updateEmail({ email, password })).email,
        ]
        await account.updatePassword({ password: 'la segunda es mejor', oldPassword: password })
        await account.updatePassword({ password, oldPassword: 'la segunda es mejor' })
        return said
      },
      comesTo: [`${her.name} Sol`, { theme: 'dark' }, { theme: 'dark' }, phone, `otra.${email}`, email],
    },
    {
      title: 'MFA-16 MFA-17 she turns two-factor authentication on, signs in by both, and turns them off',
      async play() {
        const totp = sdk.AuthenticatorType.Totp
        const { secret } = await account.createMFAAuthenticator({ type: totp })
        const otp = await around.appCode(secret, '0')
        const before = await account.updateMFAAuthenticator({ type: totp, otp })
        const { mfa } = await account.updateMFA({ mfa: true })
        const { recoveryCodes } = await account.createMFARecoveryCodes()
        const refused = [
          await captureSdkRefusal(() => account.createMFARecoveryCodes()),
          await captureSdkRefusal(() => account.getMFARecoveryCodes()),
          await captureSdkRefusal(() => account.createMFAAuthenticator({ type: totp })),
        ]
        await account.deleteSession({ sessionId: 'current' })
        await signIn()
        const half = await captureSdkRefusal(() => account.get())
        const { totp: byApp, recoveryCode } = await account.listMFAFactors()
        const challenge = await account.createMFAChallenge({ factor: sdk.AuthenticationFactor.Totp })
        const { factors } = await account.updateMFAChallenge({
          challengeId: challenge.$id,
          otp: await around.appCode(secret, '1'),
        })
        const whole = (await account.get()).email
        const renewed = (await account.updateMFARecoveryCodes()).recoveryCodes
        await account.deleteMFAAuthenticator({ type: totp })
        return {
          ...{
            before: before.mfa,
            mfa,
            codes: recoveryCodes.length,
            refused,
            half,
            byApp,
            recoveryCode,
            factors,
          },
          ...{ whole, renewed: renewed.length, after: (await account.get()).mfa },
        }
      },
      comesTo: {
        before: false,
        mfa: true,
        codes: 10,
        refused: [
          '409 user_recovery_codes_already_exists',
          '404 user_recovery_codes_not_found',
          '409 totp_on',
        ],
        half: '401 user_more_factors_required',
        byApp: true,
        recoveryCode: true,
        factors: ['password', 'totp'],
        whole: email,
        renewed: 10,
        after: false,
      },
    },
    {
      title:
        'MFA-17 she sets an app up once more, by the names that calls had before, and gets in by a recovery code',
      async play() {
        const { secret } = await account.createMfaAuthenticator({ type: 'totp' as never })
        const otp = await around.appCode(secret, '0')
        await account.updateMfaAuthenticator({ type: 'totp' as never, otp })
        await account.updateMFA({ mfa: true })
        const { recoveryCodes } = await account.createMfaRecoveryCodes()
        const shown = await captureSdkRefusal(() => account.getMfaRecoveryCodes())
        await account.deleteSession({ sessionId: 'current' })
        await signIn()
        const other = await captureSdkRefusal(() => account.createMfaChallenge({ factor: 'email' as never }))
        const { $id: challengeId } = await account.createMfaChallenge({ factor: 'recoverycode' as never })
        await account.updateMfaChallenge({ challengeId, otp: recoveryCodes[0] ?? '' })
        const { totp } = await account.listMfaFactors()
        await account.updateMfaRecoveryCodes()
        const { mfa } = await account.updateMFA({ mfa: false })
        await account.deleteMfaAuthenticator({ type: 'totp' as never })
        return { shown, other, totp, mfa }
      },
      comesTo: {
        shown: '404 user_recovery_codes_not_found',
        other: '501 user_auth_method_unsupported',
        totp: true,
        mfa: false,
      },
    },
    {
      title: 'she sees her sessions, log and identities, and ends another session',
      async play() {
        const other = await around.signInElsewhere(email, her.password)
        const before = await account.listSessions()
        const current = await account.getSession({ sessionId: 'current' })
        await account.updateSession({ sessionId: 'current' })
        await account.deleteSession({ sessionId: other })
        const after = await account.listSessions()
        // Earlier versions send this request; version 28 of the SDK removed its method.
        const logs = new URL(`${client.config.endpoint}/account/logs`)
        const log = await client.call('get', logs, {}, { queries: [Query.limit(3)], total: false })
        const identities = await account.listIdentities({ queries: [Query.equal('provider', 'google')] })
        return {
          sessions: [before.total, after.total],
          current: after.sessions.map(({ $id }) => $id === current.$id),
          log: [log.total, log.logs.length],
          identities: identities.total,
          unknown: await captureSdkRefusal(() => account.deleteIdentity({ identityId: 'none' })),
        }
      },
      comesTo: {
        sessions: [2, 1],
        current: [true],
        log: [0, 3],
        identities: 0,
        unknown: '404 user_identity_not_found',
      },
    },
    {
      title: 'she confirms her email address and her phone at the paths that moved',
      async play() {
        const url = page('/v1/auth/verification')
        await account.createVerification({ url })
        await account.createEmailVerification({ url })
        await account.updateEmailVerification(await around.emailLinkTo(email))
        const again = await captureSdkRefusal(async () =>
          account.updateVerification(await around.emailLinkTo(email)),
        )
        const { userId } = await account.createPhoneVerification()
        await account.updatePhoneVerification({ userId, secret: await around.codeTo(phone) })
        const { emailVerification, phoneVerification } = await account.get()
        return [emailVerification, phoneVerification, again]
      },
      comesTo: [true, true, '401 user_invalid_token'],
    },
    {
      title: 'a JWT of hers opens her account',
      async play() {
        const { jwt } = await account.createJWT({ duration: 60 })
        return (await new sdk.Account(newClient().setJWT(jwt)).get()).email
      },
      comesTo: email,
    },
    {
      title:
        'SDK-13 SDK-14 she sends a picture whole and another in pieces, sees and renames and deletes them',
      async play() {
        const small = createFileFromBase64(await around.picture('small'), 'a.png')
        imageId = (await storage.createFile({ ...inBucket, fileId: ID.unique(), file: small })).$id
        const file = createFileFromBase64(await around.picture('large'), 'grande.png')
        const progress: number[] = []
        const sent = await storage.createFile({
          ...inBucket,
          fileId: ID.unique(),
          file,
          onProgress: ({ chunksUploaded }) => progress.push(chunksUploaded),
        })
        const it = { ...inBucket, fileId: sent.$id }
        const seen = {
          pieces: progress,
          whole: [sent.sizeOriginal > 5 * 1024 ** 2, sent.chunksUploaded === sent.chunksTotal],
          listed: (await storage.listFiles(inBucket)).total,
          renamed: (await storage.updateFile({ ...it, name: 'nueva.png' })).name,
          again: (await storage.getFile(it)).name,
          view: await around.show(storage.getFileView(it)),
          preview: await around.show(
            storage.getFilePreview({ ...it, width: 320, output: sdk.ImageFormat.Png }),
          ),
          download: await around.show(storage.getFileDownload(it)),
        }
        await storage.deleteFile(it)
        return { ...seen, gone: await captureSdkRefusal(() => storage.getFile(it)) }
      },
      comesTo: {
        pieces: [1, 2],
        whole: [true, true],
        listed: 2,
        renamed: 'nueva.png',
        again: 'nueva.png',
        view: picture('1600×1400'),
        preview: picture('320×280'),
        download: picture('1600×1400'),
        gone: '404 storage_file_not_found',
      },
    },
    {
      title: 'SDK-10 every avatar shows',
      async play() {
        const remote = her.site ?? 'http://127.0.0.1:9'
        const [width, height] = [40, 40]
        const { Browser, CreditCard, Flag } = sdk
        return {
          initials: await around.show(avatars.getInitials({ name: her.name, width, height })),
          icons: [
            await around.show(
              avatars.getBrowser({ code: Browser.MozillaFirefox, width, height, quality: -1 }),
            ),
            await around.show(avatars.getCreditCard({ code: CreditCard.Visa, width, height })),
            await around.show(avatars.getFlag({ code: Flag.Mexico, width, height })),
            await around.show(avatars.getQR({ text: 'hola', size: 50, margin: 0, download: false })),
          ],
          remote: [
            await around.show(avatars.getImage({ url: `${remote}/picture.png`, width, height })),
            await around.show(avatars.getFavicon({ url: `${remote}/` })),
          ],
        }
      },
      comesTo: {
        initials: '40×40',
        icons: ['40×40', '40×40', '40×40', '50×50'].map(icon),
        remote: her.site ? ['40×40', '56×56'].map(icon) : ['nothing', 'nothing'],
      },
    },
    {
      title: 'SDK-11 SDK-12 she makes, reads, lists, likes, changes and deletes a post in the newer grammar',
      async play() {
        const data = { ...sdkPostFixture, creator: me, imageId }
        const made = await databases.createDocument({ ...posts, documentId: ID.unique(), data })
        const it = { ...posts, documentId: made.$id }
        const read = await databases.getDocument(it)
        await databases.updateDocument({ ...it, data: { caption: specialCharactersSearchText, likes: [me] } })
        const mine = Query.equal('creator', me)
        const lists = [
          [Query.search('caption', specialCharactersSearchText)],
          [mine, Query.contains('caption', ['nada', 'hola, mar']), Query.orderDesc('$createdAt')],
          [Query.or([Query.equal('location', 'x'), Query.and([mine, Query.isNull('groupId')])])],
          [mine, Query.createdAfter('2020-01-01T00:00:00.000Z'), Query.notContains('caption', ['adiós'])],
          [mine, Query.select(['caption', 'creator.name']), Query.limit(9), Query.offset(0)],
        ]
        const found: unknown[] = []
        for (const queries of lists) {
          const { total, documents } = await databases.listDocuments({ ...posts, queries })
          found.push([
            total,
            ...documents.map((one) => [one.$id === made.$id, one.caption === specialCharactersSearchText]),
          ])
        }
        const past = [mine, Query.cursorAfter(made.$id)]
        const after = await databases.listDocuments({ ...posts, queries: past, total: false })
        await databases.deleteDocument(it)
        return {
          read: JSON.stringify(read) === JSON.stringify(made),
          found,
          after,
          gone: await captureSdkRefusal(() => databases.getDocument(it)),
        }
      },
      comesTo: {
        read: true,
        found: Array.from({ length: 5 }, () => [1, [true, true]]),
        after: { total: 0, documents: [] },
        gone: '404 document_not_found',
      },
    },
    {
      title: 'SDK-11 SDK-12 she makes, reads, lists, changes and deletes the same post as a row of a table',
      async play() {
        const table = { databaseId: 'main', tableId: 'posts' }
        const file = createFileFromBase64(await around.picture('small'), 'b.png')
        const { $id } = await storage.createFile({ ...inBucket, fileId: ID.unique(), file })
        const data = { ...sdkPostFixture, creator: me, imageId: $id }
        const made = await tables.createRow({ ...table, rowId: ID.unique(), data })
        const it = { ...table, rowId: made.$id }
        const document = await databases.getDocument({ ...posts, documentId: made.$id })
        const read = await tables.getRow(it)
        const { caption } = await tables.updateRow({ ...it, data: { caption: specialCharactersSearchText } })
        const queries = [
          Query.search('caption', specialCharactersSearchText),
          Query.select(['caption', 'creator.name']),
        ]
        const found = await tables.listRows({ ...table, queries })
        const nested = read.creator
        await tables.deleteRow(it)
        const { $collectionId, creator, ...same } = document
        return {
          same: JSON.stringify(read) === JSON.stringify({ ...read, ...same }),
          names: [$collectionId, made.$tableId, nested.$tableId, '$collectionId' in read],
          caption: caption === specialCharactersSearchText,
          found: [
            found.total,
            ...found.rows.map((row) => [row.$id === made.$id, row.caption === specialCharactersSearchText]),
          ],
          gone: await captureSdkRefusal(() => tables.getRow(it)),
          unknown: await captureSdkRefusal(() => tables.listRows({ ...table, tableId: 'none' })),
        }
      },
      comesTo: {
        same: true,
        names: ['posts', 'posts', 'users', false],
        caption: true,
        found: [1, [true, true]],
        gone: '404 document_not_found',
        unknown: '404 collection_not_found',
      },
    },
    {
      title: 'RT-01 RT-03 she receives messages live until she unsubscribes',
      async play() {
        const data = { participants: [me, await around.friend()].sort(), type: 'direct' }
        const conversations = { databaseId: 'main', collectionId: 'conversations' }
        const conversation = await databases.createDocument({
          ...conversations,
          documentId: ID.unique(),
          data,
        })
        // A stranger may send only a few messages before an answer.
        await databases.createDocument({
          databaseId: 'main',
          collectionId: 'messages',
          documentId: ID.unique(),
          data: { conversationId: conversation.$id, senderId: me, content: '¡hola!' },
        })
        const say = () => around.friendSays(conversation.$id, '¿hola?')
        const realtime = new sdk.Realtime(plain)
        const [messages, everything, byClient]: ReceivedSdkEvent[][] = [[], [], []]
        const channel = appwriteDocumentsChannel('messages')
        const some = await realtime.subscribe(channel, (event) => messages?.push(event))
        const all = await realtime.subscribe('documents', (event) => everything?.push(event))
        const id = await sendUntilEventReceived(messages ?? [], say)
        const events = messages?.at(-1)?.events ?? []
        await some.unsubscribe()
        const count = messages?.length
        await sendUntilEventReceived(everything ?? [], say)
        await all.unsubscribe()
        await realtime.disconnect()
        const stop = client.subscribe<{ $id: string }>(channel, (event) => byClient?.push(event))
        await sendUntilEventReceived(byClient ?? [], say)
        stop()
        return {
          exact: events.includes(`${channel}.${id}.create`),
          wild: events.includes('databases.*.collections.*.documents.*.create'),
          afterwards: (messages?.length ?? 0) - (count ?? 0),
        }
      },
      comesTo: { exact: true, wild: true, afterwards: 0 },
    },
    {
      title: 'she receives events about her account and files',
      async play() {
        const received: ReceivedSdkEvent[] = []
        const realtime = new sdk.Realtime(plain)
        const both = await realtime.subscribe(['account', 'buckets.media.files'], (event) =>
          received.push(event),
        )
        const file = createFileFromBase64(await around.picture('small'), 'plaza.png')
        const { $id } = await storage.createFile({ ...inBucket, fileId: ID.unique(), file })
        const it = { ...inBucket, fileId: $id }
        await sendUntilEventReceived(
          received,
          async () => (await storage.updateFile({ ...it, name: 'otra.png' })).$id,
        )
        const asked = await account.createRecovery({ email, url: page('/v1/auth/recovery') })
        await sendUntilEventReceived(received, async () => asked.$id)
        await storage.deleteFile(it)
        await both.unsubscribe()
        await realtime.disconnect()
        return summarizeReceivedEvents(received)
      },
      comesTo: { file: true, recovery: true },
    },
    {
      title: 'she signs out, and in again by every token',
      async play() {
        await account.deleteSession({ sessionId: 'current' })
        const out = [await captureSdkRefusal(() => account.get()), around.fallback()]
        const userId = ID.unique()
        const ins: string[] = []
        const inAgain = async () => {
          ins.push((await account.get()).email)
          await account.deleteSessions()
        }
        await account.createMagicURLToken({ userId, email, phrase: true })
        await account.createSession(await around.emailLinkTo(email))
        await inAgain()
        await account.createMagicURLToken({ userId, email })
        await account.updateMagicURLSession(await around.emailLinkTo(email))
        await inAgain()
        const mailed = await account.createEmailToken({ userId, email })
        await account.createSession({ userId: mailed.userId, secret: await around.codeTo(email) })
        await inAgain()
        const called = await account.createPhoneToken({ userId, phone })
        await account.createSession({ userId: called.userId, secret: await around.codeTo(phone) })
        await inAgain()
        const again = await account.createPhoneToken({ userId, phone })
        await account.updatePhoneSession({ userId: again.userId, secret: await around.codeTo(phone) })
        await inAgain()
        return { out, ins }
      },
      comesTo: {
        out: ['401 general_unauthorized_scope', her.keepsFallback ? '[]' : null],
        ins: [email, email, email, email, email],
      },
    },
    {
      title: 'signed out, she gets an anonymous session',
      async play() {
        const { provider } = await account.createAnonymousSession()
        await account.deleteSession({ sessionId: 'current' })
        return provider
      },
      comesTo: 'anonymous',
    },
    {
      title: 'SDK-04 she recovers a forgotten password without saying it twice',
      async play() {
        await account.createRecovery({ email, url: page('/v1/auth/recovery') })
        const password = 'una nueva y larga'
        await account.updateRecovery({ ...(await around.emailLinkTo(email)), password })
        return (await signIn(password)).provider
      },
      comesTo: 'email',
    },
    {
      title: 'unsupported calls are refused by name',
      async play() {
        const services: Record<string, unknown> = {
          ...{ Account: account, Databases: databases, TablesDB: tables, Avatars: avatars },
        }
        const odd: string[] = []
        for (const name of Object.values(unsupportedSdkMethods).flat()) {
          const [service = '', method = ''] = name.split('.')
          const called = services[service] as Record<string, (given: object) => unknown>
          const refusal = async () => {
            const answer = await called[method]?.(dummySdkArguments)
            return typeof answer === 'string' ? around.show(answer) : 'it was not refused'
          }
          const what = await refusal().catch(({ code, type }) => `${code} ${type}`)
          if (!expectedUnsupportedRefusals.includes(what)) odd.push(`${name}: ${what}`)
        }
        return odd
      },
      comesTo: [],
    },
    {
      title: 'she closes her account',
      async play() {
        const { status } = await account.updateStatus()
        return [status, await captureSdkRefusal(() => signIn('una nueva y larga'))]
      },
      comesTo: [false, '401 user_blocked'],
    },
  ]

  const { OAuthProvider } = sdk
  const there = { success: page('/'), failure: page('/sign-in') }
  return {
    chapters,
    leaving: [
      () => account.createOAuth2Session({ provider: OAuthProvider.Google, ...there }),
      () => account.createOAuth2Token({ provider: OAuthProvider.Google, ...there }),
    ],
    calls,
    uncalled: () => [...uncalled(), ...listUncalledMethods('TablesDB', tablesDb, calls)],
  }
}
