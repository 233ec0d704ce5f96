/** Faults in the web app. */
import type { PlantedFault } from '../planted-fault.ts'

const pushes = 'tests/journeys/push.spec.ts'
const purging = 'web/features/people/blocks/purge-member-from-cache.test.ts'
const outbox = 'web/features/chat/messages/message-outbox.test.ts'

export const webFaults: PlantedFault[] = [
  {
    name: 'cached lists keep rows of a member who is hidden',
    file: 'web/features/people/blocks/purge-member-from-cache.ts',
    find: '    .filter((row) => !(isRecord(row) && isOf(row, personId)))\n',
    replace: '',
    red: [purging, 'rows of the member leave posts, people and members'],
  },
  {
    name: 'a cached conversation keeps the picture of a member who is hidden',
    file: 'web/features/people/blocks/purge-member-from-cache.ts',
    find: 'imageId: null, visible: false',
    replace: 'visible: false',
    red: [purging, 'a conversation stays, closed and without the picture'],
  },
  {
    name: 'a cached profile of a member who is hidden stays',
    file: 'web/features/people/blocks/purge-member-from-cache.ts',
    find: ' || noun === peopleQueryKeys.profiles[0]',
    replace: '',
    red: [purging, 'data of that member only is dropped: the profile, its lists, a post'],
  },
  {
    name: 'a session check that is overtaken by a sign-in signs the member out',
    file: 'web/features/account/session.ts',
    find: 'if (asked !== lastCheck) return',
    replace: 'if (asked < 0) return',
    red: [
      'web/features/account/session.test.ts',
      'a check that began before she signed in and answers afterwards does not sign her out',
    ],
  },
  {
    name: 'the reconnect delay does not fall back after success',
    file: 'web/realtime/socket.ts',
    find: '      attempt = 0\n',
    replace: '',
    red: ['web/realtime/socket.test.ts', 'RT-07 delays grow until an attempt succeeds, then start again'],
  },
  {
    name: 'messages overtake one that got no answer',
    file: 'web/features/chat/messages/message-outbox.ts',
    find: "if (!isOnline() || next.state === 'failed') return wait(unsent)",
    replace: "if (!isOnline() && next.state !== 'failed') return wait(unsent)",
    red: [outbox, 'after no answer the ones behind it wait'],
  },
  {
    name: 'a message sent again loses its place',
    file: 'web/features/chat/messages/message-outbox.ts',
    find: '        replaced?.at ?? Math.max(',
    replace: '        Math.max(',
    red: [outbox, 'after no answer the ones behind it wait'],
  },
  {
    name: 'a refused message holds up those behind it',
    file: 'web/features/chat/messages/message-outbox.ts',
    find: "state: 'failed', refused: !passing }",
    replace: "state: 'failed', refused: false }",
    red: [outbox, 'after a refusal the ones behind it go on'],
  },
  {
    name: 'what waited behind a discarded message is not sent',
    file: 'web/features/chat/messages/message-outbox.ts',
    find: 'if (message && !closed) await drain(message.conversationId)',
    replace: '',
    red: [outbox, 'the ones behind it go out when the one that got no answer is discarded'],
  },
  {
    name: 'a group that is not there is logged as an error',
    file: 'web/api/query-client.ts',
    find: 'isMissing(error) || onError(error)',
    replace: 'onError(error)',
    red: ['web/api/query-client.test.ts', 'GPAGE-01 a missing record is an answer and not logged'],
  },
  {
    name: 'pulling the form of a new group down reloads it',
    file: 'contract/screen-routes.ts',
    find: "createGroup: { path: '/groups/create' },",
    replace: "createGroup: { path: '/groups/create', reloads: true },",
    red: ['web/layout/pull-to-refresh.test.ts', 'pulling down on /groups/create reloads its lists'],
  },
  {
    name: 'a cover cuts off the subject of a portrait',
    file: 'web/ui/images/detect-focal-point.ts',
    find: 'return (best.top / spare) * 100',
    replace: 'return 50',
    red: ['web/ui/images/detect-focal-point.test.ts', 'GPAGE-18 a crop keeps the rows with the subject'],
  },
  {
    name: 'the server’s reasons against a picture are said in its own words alone',
    file: 'web/ui/images/image-validation.ts',
    find: '|^File size not allowed|demasiado grande|too many pixels|demasiados píxeles/',
    replace: '/',
    red: ['web/ui/images/image-validation.test.ts', 'every reason is also said in plain words'],
  },
  {
    name: 'a photo of which a tile is missing is taken with a hole',
    file: 'web/ui/images/heif/heif-container.ts',
    find: '  demandWhole(view, parts, [id, ...listTiles(view, parts, id)])\n',
    replace: '',
    red: ['tests/journeys/heic.spec.ts', 'twenty damaged files show it on their tiles'],
  },
  {
    name: 'a pressed notification opens the first page',
    file: 'web/service-worker/show-push-notifications.ts',
    find: 'data: destinationOf(message),',
    replace: "data: '/',",
    red: [
      pushes,
      'every push shows a notification, silent while a page is in front; pressing it opens its page, in an open tab or a new one',
    ],
  },
  {
    name: 'a pressed notification leaves the open page where it is',
    file: 'web/service-worker/show-push-notifications.ts',
    find: '  if (page.url === url) return\n',
    replace: '  if (page) return\n',
    red: [
      pushes,
      'every push shows a notification, silent while a page is in front; pressing it opens its page, in an open tab or a new one',
    ],
  },
  {
    name: 'a pressed notification opens nothing where no page is open',
    file: 'web/service-worker/show-push-notifications.ts',
    find: 'return void (await worker.clients.openWindow(url))',
    replace: 'return',
    red: [
      pushes,
      'every push shows a notification, silent while a page is in front; pressing it opens its page, in an open tab or a new one',
    ],
  },
  {
    name: 'a browser whose member logs out stays subscribed',
    file: 'web/service-worker/clear-member-data.ts',
    find: 'const unsubscribed = subscription?.unsubscribe().catch(() => false)',
    replace: 'const unsubscribed = Boolean(subscription)',
    red: [pushes, 'browser is subscribed no more'],
  },
  {
    name: 'the last push of a session leaves its subscription',
    file: 'web/service-worker/clear-member-data.ts',
    find: 'inWorker ?? (await navigator.serviceWorker?.getRegistration())',
    replace: 'await navigator.serviceWorker?.getRegistration()',
    red: [
      pushes,
      "the final push of an ended session erases the browser's data and ends its subscription; one of an earlier session erases nothing",
    ],
  },
]
