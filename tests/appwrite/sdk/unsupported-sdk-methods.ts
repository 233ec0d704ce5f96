export const unsupportedSdkMethods: Record<string, readonly string[]> = {
  'an email address is confirmed, and a password recovered, by a link': [
    'Account.createEmailVerificationOTP',
    'Account.updateEmailVerificationOTP',
    'Account.createRecoveryOTP',
    'Account.updateRecoveryOTP',
  ],
  'who signs in elsewhere comes back by a redirect, not with a token in her hands': [
    'Account.createIdTokenSession',
  ],
  'Juntas is no provider that other applications sign in with': [
    'Account.listConsents',
    'Account.getConsent',
    'Account.deleteConsent',
    'Account.listConsentTokens',
    'Account.getConsentToken',
    'Account.deleteConsentToken',
  ],
  'nothing is pushed to phones': [
    'Account.createPushTarget',
    'Account.updatePushTarget',
    'Account.deletePushTarget',
  ],
  'a write is one operation of the store, whole by itself': [
    'Databases.listTransactions',
    'Databases.createTransaction',
    'Databases.getTransaction',
    'Databases.updateTransaction',
    'Databases.deleteTransaction',
    'Databases.createOperations',
    'TablesDB.listTransactions',
    'TablesDB.createTransaction',
    'TablesDB.getTransaction',
    'TablesDB.updateTransaction',
    'TablesDB.deleteTransaction',
    'TablesDB.createOperations',
  ],
  'documents are a façade before operations, which create or change but not either': [
    'Databases.upsertDocument',
    'TablesDB.upsertRow',
  ],
  'numbers in documents are counted by the server': [
    'Databases.incrementDocumentAttribute',
    'Databases.decrementDocumentAttribute',
    'TablesDB.incrementRowColumn',
    'TablesDB.decrementRowColumn',
  ],
  'nobody asked for pictures of pages or of email addresses': ['Avatars.getPhoto', 'Avatars.getScreenshot'],
}

/** The refusals for a missing path, method or picture. */
export const expectedUnsupportedRefusals = [
  '404 general_route_not_found',
  '405 general_method_not_allowed',
  'nothing',
]

export const dummySdkArguments = {
  ...{
    consentId: 'x',
    tokenId: 'x',
    otp: '000000',
  },
  ...{ userId: 'x', secret: 'x', email: 'x@juntas.example', password: 'x', provider: 'google', idToken: 'x' },
  ...{ targetId: 'x', identifier: 'x', transactionId: 'x', operations: [], databaseId: 'main' },
  ...{
    collectionId: 'posts',
    documentId: 'x',
    data: {},
    attribute: 'x',
    tableId: 'posts',
    rowId: 'x',
    column: 'x',
    url: 'http://juntas.example',
  },
}
