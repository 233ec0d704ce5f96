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
    red: [purging, "a hidden member's rows leave posts, people and members"],
  },
  {
    name: 'a cached conversation keeps the picture of a member who is hidden',
    file: 'web/features/people/blocks/purge-member-from-cache.ts',
    find: 'imageId: null, visible: false',
    replace: 'visible: false',
    red: [
      purging,
      'the conversation with a hidden member stays with its messages, closed and without her picture',
    ],
  },
  {
    name: 'a cached profile of a member who is hidden stays',
    file: 'web/features/people/blocks/purge-member-from-cache.ts',
    find: ' || noun === peopleQueryKeys.profiles[0]',
    replace: '',
    red: [purging, 'data about only the hidden member is dropped: her profile, its lists and her posts'],
  },
  {
    name: 'a session check that is overtaken by a sign-in signs the member out',
    file: 'web/features/account/session.ts',
    find: 'if (asked !== lastCheck) return',
    replace: 'if (asked < 0) return',
    red: [
      'web/features/account/session.test.ts',
      'a session check that started before sign-in and is answered afterwards does not sign ana out',
    ],
  },
  {
    name: 'the reconnect delay does not reset after success',
    file: 'web/realtime/socket.ts',
    find: '      attempt = 0\n',
    replace: '',
    red: [
      'web/realtime/socket.test.ts',
      'RT-07 reconnect delays grow until an attempt succeeds, then start again',
    ],
  },
  {
    name: 'messages overtake one without an answer',
    file: 'web/features/chat/messages/message-outbox.ts',
    find: "if (!isOnline() || next.state === 'failed') return wait(unsent)",
    replace: "if (!isOnline() && next.state !== 'failed') return wait(unsent)",
    red: [outbox, 'later messages wait after no answer'],
  },
  {
    name: 'a message sent again loses its position',
    file: 'web/features/chat/messages/message-outbox.ts',
    find: '        replaced?.at ?? Math.max(',
    replace: '        Math.max(',
    red: [outbox, 'later messages wait after no answer'],
  },
  {
    name: 'a refused message holds up those behind it',
    file: 'web/features/chat/messages/message-outbox.ts',
    find: "state: 'failed', refused: !passing }",
    replace: "state: 'failed', refused: false }",
    red: [outbox, 'after a message is refused, later messages are still sent'],
  },
  {
    name: 'messages behind a discarded one are not sent',
    file: 'web/features/chat/messages/message-outbox.ts',
    find: 'if (message && !closed) await drain(message.conversationId)',
    replace: '',
    red: [outbox, 'later messages are sent when the failed message is discarded'],
  },
  {
    name: 'a nonexistent group is logged as an error',
    file: 'web/api/query-client.ts',
    find: 'isMissing(error) || onError(error)',
    replace: 'onError(error)',
    red: ['web/api/query-client.test.ts', 'GPAGE-01 a missing record is not logged as an error'],
  },
  {
    name: 'pulling the form of a new group down reloads it',
    file: 'contract/screen-routes.ts',
    find: "createGroup: { path: '/groups/create' },",
    replace: "createGroup: { path: '/groups/create', reloads: true },",
    red: ['web/layout/pull-to-refresh.test.ts', 'pulling down on /groups/create reloads its lists'],
  },
  {
    name: 'a cover crops the subject of a portrait',
    file: 'web/ui/images/detect-focal-point.ts',
    find: 'return (best.top / spare) * 100',
    replace: 'return 50',
    red: [
      'web/ui/images/detect-focal-point.test.ts',
      'GPAGE-18 a crop keeps the rows that contain the subject',
    ],
  },
  {
    name: 'the server’s refusal of a picture is shown untranslated',
    file: 'web/ui/images/accept-images.ts',
    find: '|^File size not allowed|demasiado grande|too many pixels|demasiados píxeles/',
    replace: '/',
    red: ['web/ui/images/accept-images.test.ts', 'every reason for a refusal also has a plain explanation'],
  },
  {
    name: 'a photo with a missing tile is accepted',
    file: 'web/ui/images/heif/heif-container.ts',
    find: '  demandWhole(view, parts, [id, ...listTiles(view, parts, id)])\n',
    replace: '',
    red: ['tests/journeys/heic.spec.ts', 'twenty damaged files show an error on their tiles'],
  },
  {
    name: 'a pressed notification opens the first page',
    file: 'web/service-worker/show-push-notifications.ts',
    find: 'data: destinationOf(message),',
    replace: "data: '/',",
    red: [
      pushes,
      'every push shows a notification, silent while a page is in front; pressing it opens its page in an open or a new tab',
    ],
  },
  {
    name: 'a pressed notification leaves the open page where it is',
    file: 'web/service-worker/show-push-notifications.ts',
    find: '  if (page.url === url) return\n',
    replace: '  if (page) return\n',
    red: [
      pushes,
      'every push shows a notification, silent while a page is in front; pressing it opens its page in an open or a new tab',
    ],
  },
  {
    name: 'a pressed notification opens nothing where no page is open',
    file: 'web/service-worker/show-push-notifications.ts',
    find: 'return void (await worker.clients.openWindow(url))',
    replace: 'return',
    red: [
      pushes,
      'every push shows a notification, silent while a page is in front; pressing it opens its page in an open or a new tab',
    ],
  },
  {
    name: 'a browser whose member logs out stays subscribed',
    file: 'web/service-worker/clear-member-data.ts',
    find: 'const unsubscribed = subscription?.unsubscribe().catch(() => false)',
    replace: 'const unsubscribed = Boolean(subscription)',
    red: [pushes, "Logout ends her browser's push subscription"],
  },
  {
    name: 'the last push of a session leaves its subscription',
    file: 'web/service-worker/clear-member-data.ts',
    find: 'inWorker ?? (await navigator.serviceWorker?.getRegistration())',
    replace: 'await navigator.serviceWorker?.getRegistration()',
    red: [
      pushes,
      "an ended session's final push erases the browser's data and push subscription; an earlier session's final push erases nothing",
    ],
  },
]
