/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */
import type { OperationEndpoint } from '../../operation.ts'
import type * as messageSearch from '../../chat/message-search.ts'

export const searchMessagesEndpoint: OperationEndpoint<typeof messageSearch.searchMessagesOperation> = { method: 'GET', path: '/search/messages' }
