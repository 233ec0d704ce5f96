import {
  appwriteDocumentsChannel,
  captureSdkRefusal,
  createFileFromBase64,
  openRecordedSdk,
  type ReceivedSdkEvent,
  type SdkScriptEnvironment,
  type SdkTestScript,
  type SdkTestUser,
  sdkPostFixture,
  sendUntilEventReceived,
  specialCharactersSearchText,
  summarizeReceivedEvents,
} from './sdk-test-script.ts'

type Sdk = typeof import('appwrite')

export function createSdk13Script(sdk: Sdk, her: SdkTestUser, around: SdkScriptEnvironment): SdkTestScript {
  const { ID, Query } = sdk
  const { newClient, client, calls, uncalled, ...opened } = openRecordedSdk(sdk, her)
  const { account, databases, storage, avatars, page, picture, icon } = opened
  const show = (address: URL) => around.show(address.href)
  const signIn = (password = her.password) => account.createEmailSession(her.email, password)
  let me = ''
  let imageId = ''

  const chapters: SdkTestScript['chapters'] = [
    {
      title: 'a visitor gets the guests role error',
      play: () => captureSdkRefusal(() => account.get()),
      comesTo: '401 general_unauthorized_scope',
    },
    {
      title: 'SDK-01 SDK-06 she signs up, writes her profile, signs in and is recognised',
      async play() {
        const { $id: accountId } = await account.create(ID.unique(), her.email, her.password, her.name)
        const imageUrl = avatars.getInitials(her.name).href
        const { name, username, email } = her
        const fields = { accountId, name, username, email, imageUrl }
        me = (await databases.createDocument('main', 'users', ID.unique(), fields)).$id
        await signIn()
        const found = await databases.listDocuments('main', 'users', [Query.equal('accountId', accountId)])
        return {
          account: (await account.get()).$id === accountId,
          profile: found.documents.map(({ $id }) => $id === me),
          fallback: around.fallback() !== null,
        }
      },
      comesTo: { account: true, profile: [true], fallback: her.keepsFallback },
    },
    {
      title: 'SDK-02 SDK-03 she changes her account',
      async play() {
        const said = [
          (await account.updateName(`${her.name} Luz`)).name,
          (await account.updatePrefs({ theme: 'dark' })).prefs,
          await account.getPrefs(),
          (await account.updatePhone(her.phone, her.password)).phone,
          (await account.updateEmail(`otra.${her.email}`, her.password)).email,
          (await account.updateEmail(her.email, her.password)).email,
        ]
        await account.updatePassword('la segunda es mejor', her.password)
        await account.updatePassword(her.password, 'la segunda es mejor')
        return said
      },
      comesTo: [
        `${her.name} Luz`,
        { theme: 'dark' },
        { theme: 'dark' },
        her.phone,
        `otra.${her.email}`,
        her.email,
      ],
    },
    {
      title: 'SDK-05 SDK-06 SDK-07 she sees her sessions, log and identities, and ends another session',
      async play() {
        const other = await around.signInElsewhere(her.email, her.password)
        const before = await account.listSessions()
        const current = await account.getSession('current')
        await account.updateSession('current')
        await account.deleteSession(other)
        const after = await account.listSessions()
        const log = await account.listLogs([Query.limit(5), Query.offset(1)])
        return {
          sessions: [before.total, after.total],
          current: after.sessions.map(({ $id }) => $id === current.$id),
          log: log.logs.length,
          identities: (await account.listIdentities()).total,
          unknown: await captureSdkRefusal(() => account.deleteIdentity('none')),
        }
      },
      comesTo: {
        sessions: [2, 1],
        current: [true],
        log: 5,
        identities: 0,
        unknown: '404 user_identity_not_found',
      },
    },
    {
      title: 'SDK-08 she confirms her email address and her phone',
      async play() {
        await account.createVerification(page('/v1/auth/verification'))
        const linkParameters = await around.emailLinkTo(her.email)
        await account.updateVerification(linkParameters.userId, linkParameters.secret)
        const { userId } = await account.createPhoneVerification()
        await account.updatePhoneVerification(userId, await around.codeTo(her.phone))
        const { emailVerification, phoneVerification } = await account.get()
        return [emailVerification, phoneVerification]
      },
      comesTo: [true, true],
    },
    {
      title: 'SDK-06 a JWT gives access to her account',
      async play() {
        const { jwt } = await account.createJWT()
        return (await new sdk.Account(newClient().setJWT(jwt)).get()).email
      },
      comesTo: her.email,
    },
    {
      title:
        'SDK-13 SDK-14 she uploads one picture whole and another in chunks, and reads, renames and deletes them',
      async play() {
        const small = await storage.createFile(
          'media',
          ID.unique(),
          createFileFromBase64(await around.picture('small'), 'a.png'),
        )
        const large = createFileFromBase64(await around.picture('large'), 'grande.png')
        const pieces: number[] = []
        const sent = await storage.createFile('media', ID.unique(), large, undefined, ({ chunksUploaded }) =>
          pieces.push(chunksUploaded),
        )
        imageId = small.$id
        const seen = {
          pieces,
          whole: [sent.sizeOriginal > 5 * 1024 ** 2, sent.chunksUploaded === sent.chunksTotal],
          listed: (await storage.listFiles('media')).total,
          renamed: (await storage.updateFile('media', sent.$id, 'nueva.png')).name,
          again: (await storage.getFile('media', sent.$id)).name,
          view: await show(storage.getFileView('media', sent.$id)),
          preview: await show(storage.getFilePreview('media', sent.$id, 320)),
          download: await show(storage.getFileDownload('media', sent.$id)),
        }
        await storage.deleteFile('media', sent.$id)
        return { ...seen, gone: await captureSdkRefusal(() => storage.getFile('media', sent.$id)) }
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
        return {
          initials: await show(avatars.getInitials(her.name, 40, 40, 'FF0000')),
          icons: [
            await show(avatars.getBrowser('ff', 40, 40, 90)),
            await show(avatars.getCreditCard('union-china-pay', 40, 40)),
            await show(avatars.getFlag('mx', 40, 40)),
            await show(avatars.getQR('https://juntas.example', 200, 2, true)),
          ],
          remote: [
            await show(avatars.getImage(`${remote}/picture.png`, 40, 40)),
            await show(avatars.getFavicon(`${remote}/`)),
          ],
        }
      },
      comesTo: {
        initials: '40×40',
        icons: ['40×40', '40×40', '40×40', '200×200'].map(icon),
        remote: her.site ? ['40×40', '56×56'].map(icon) : ['nothing', 'nothing'],
      },
    },
    {
      title: 'SDK-11 SDK-12 SDK-15 she makes, reads, lists, likes, changes and deletes a post',
      async play() {
        const made = await databases.createDocument('main', 'posts', ID.unique(), {
          ...sdkPostFixture,
          creator: me,
          imageId,
        })
        const read = await databases.getDocument('main', 'posts', made.$id)
        await databases.updateDocument('main', 'posts', made.$id, {
          caption: specialCharactersSearchText,
          likes: [me],
        })
        const lists = [
          [Query.search('caption', specialCharactersSearchText)],
          [Query.search('caption', '"hola, mar" y')],
          [Query.equal('caption', specialCharactersSearchText)],
          [Query.equal('creator', me), Query.orderDesc('$createdAt')],
          [Query.equal('creator', me), Query.orderAsc('$updatedAt'), Query.limit(9), Query.offset(0)],
          [Query.isNull('groupId'), Query.equal('creator', [me]), Query.startsWith('caption', 'dijo "')],
          [Query.between('$createdAt', '2020-01-01', '2999-01-01'), Query.equal('creator', me)],
        ]
        const found: unknown[] = []
        for (const queries of lists) {
          const { total, documents } = await databases.listDocuments('main', 'posts', queries)
          found.push([total, ...documents.map(({ $id, likes }) => [$id === made.$id, likes.length])])
        }
        const past = [Query.equal('creator', me), Query.cursorAfter(made.$id)]
        const after = await databases.listDocuments('main', 'posts', past)
        await databases.deleteDocument('main', 'posts', made.$id)
        return {
          read: JSON.stringify(read) === JSON.stringify(made),
          found,
          after: after.documents,
          gone: await captureSdkRefusal(() => databases.getDocument('main', 'posts', made.$id)),
        }
      },
      comesTo: {
        read: true,
        found: Array.from({ length: 7 }, () => [1, [true, 1]]),
        after: [],
        gone: '404 document_not_found',
      },
    },
    {
      title: 'RT-01 RT-03 she receives messages live until she unsubscribes',
      async play() {
        const participants = [me, await around.friend()].sort()
        const type = 'direct'
        const conversation = await databases.createDocument('main', 'conversations', ID.unique(), {
          participants,
          type,
        })
        // A stranger may send only a few messages before an answer.
        await databases.createDocument('main', 'messages', ID.unique(), {
          conversationId: conversation.$id,
          senderId: me,
          content: '¡hola!',
        })
        const [messages, everything]: ReceivedSdkEvent[][] = [[], []]
        const stop = client.subscribe<{ $id: string }>(appwriteDocumentsChannel('messages'), (event) =>
          messages?.push(event),
        )
        const stopAll = client.subscribe<{ $id: string }>('documents', (event) => everything?.push(event))
        const say = () => around.friendSays(conversation.$id, '¿hola?')
        const id = await sendUntilEventReceived(messages ?? [], say)
        const events = messages?.at(-1)?.events ?? []
        stop()
        const count = messages?.length
        await sendUntilEventReceived(everything ?? [], say)
        stopAll()
        return {
          exact: events.includes(`${appwriteDocumentsChannel('messages')}.${id}.create`),
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
        const stop = client.subscribe<{ $id: string }>(['account', 'files'], (event) => received.push(event))
        const file = createFileFromBase64(await around.picture('small'), 'plaza.png')
        const { $id } = await storage.createFile('media', ID.unique(), file)
        await sendUntilEventReceived(
          received,
          async () => (await storage.updateFile('media', $id, 'otra.png')).$id,
        )
        const asked = await account.createRecovery(her.email, page('/v1/auth/recovery'))
        await sendUntilEventReceived(received, async () => asked.$id)
        await storage.deleteFile('media', $id)
        stop()
        return summarizeReceivedEvents(received)
      },
      comesTo: { file: true, recovery: true },
    },
    {
      title: 'SDK-05 SDK-06 she signs out, and in again by a link and by a code',
      async play() {
        await account.deleteSession('current')
        const out = [await captureSdkRefusal(() => account.get()), around.fallback()]
        await account.createMagicURLSession(ID.unique(), her.email)
        const linkParameters = await around.emailLinkTo(her.email)
        await account.updateMagicURLSession(linkParameters.userId, linkParameters.secret)
        const byLink = (await account.get()).email
        await account.deleteSessions()
        const { userId } = await account.createPhoneSession(ID.unique(), her.phone)
        await account.updatePhoneSession(userId, await around.codeTo(her.phone))
        const byCode = (await account.get()).email
        await account.deleteSessions()
        return { out, byLink, byCode }
      },
      comesTo: {
        out: ['401 general_unauthorized_scope', her.keepsFallback ? '[]' : null],
        byLink: her.email,
        byCode: her.email,
      },
    },
    {
      title: 'SDK-06 signed out, she can start only one anonymous session',
      async play() {
        const { provider } = await account.createAnonymousSession()
        const second = await captureSdkRefusal(() => account.createAnonymousSession())
        await account.deleteSession('current')
        return [provider, second]
      },
      comesTo: ['anonymous', '401 user_session_already_exists'],
    },
    {
      title: 'SDK-04 she recovers a forgotten password',
      async play() {
        await account.createRecovery(her.email, page('/v1/auth/recovery'))
        const { userId, secret } = await around.emailLinkTo(her.email)
        const password = 'una nueva y larga'
        await account.updateRecovery(userId, secret, password, password)
        return (await signIn(password)).provider
      },
      comesTo: 'email',
    },
    {
      title: 'ERR-09 ERR-10 a missing parameter or file throws without a request',
      async play() {
        const missing = undefined as unknown as string
        const lacking = [
          () => account.createEmailSession(missing, her.password),
          () => account.createEmailSession(her.email, missing),
          () => account.create(missing, her.email, her.password),
          () => account.deleteSession(missing),
          () => databases.listDocuments('main', missing),
          () => databases.getDocument('main', 'users', missing),
          () => storage.getFile('media', missing),
          () => storage.createFile('media', ID.unique(), 'no file' as unknown as File),
        ]
        return Promise.all(lacking.map(captureSdkRefusal))
      },
      comesTo: [
        ...['email', 'password', 'userId', 'sessionId', 'collectionId', 'documentId', 'fileId'].map(
          (name) => `Missing required parameter: "${name}"`,
        ),
        'Parameter "file" has to be a File.',
      ],
    },
    {
      title: 'SDK-02 she closes her account',
      async play() {
        const { status } = await account.updateStatus()
        return [status, await captureSdkRefusal(() => signIn('una nueva y larga'))]
      },
      comesTo: [false, '401 user_blocked'],
    },
  ]

  return {
    chapters,
    leaving: [() => account.createOAuth2Session('google', page('/'), page('/sign-in'), ['email'])],
    calls,
    uncalled,
  }
}
