/** What the newest SDK knows and nobody answers, with the reason why. */

/** What came after the calls of spec §7 and belongs to no screen of the product. */
export const notServed: Record<string, readonly string[]> = {
  'a second factor is not part of this product': [
    'Account.updateMFA',
    'Account.createMfaAuthenticator',
    'Account.createMFAAuthenticator',
    'Account.updateMfaAuthenticator',
    'Account.updateMFAAuthenticator',
    'Account.deleteMfaAuthenticator',
    'Account.deleteMFAAuthenticator',
    'Account.createMfaChallenge',
    'Account.createMFAChallenge',
    'Account.updateMfaChallenge',
    'Account.updateMFAChallenge',
    'Account.listMfaFactors',
    'Account.listMFAFactors',
    'Account.getMfaRecoveryCodes',
    'Account.getMFARecoveryCodes',
    'Account.createMfaRecoveryCodes',
    'Account.createMFARecoveryCodes',
    'Account.updateMfaRecoveryCodes',
    'Account.updateMFARecoveryCodes',
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
  ],
  'documents are a façade before operations, which create or change but not either': [
    'Databases.upsertDocument',
  ],
  'numbers in documents are counted by the server': [
    'Databases.incrementDocumentAttribute',
    'Databases.decrementDocumentAttribute',
  ],
  'nobody asked for pictures of pages or of e-mail addresses': ['Avatars.getPhoto', 'Avatars.getScreenshot'],
}

/** How a path, a method of a path, and a picture are not there. */
export const refusals = ['404 general_route_not_found', '405 general_method_not_allowed', 'nothing']

/** Whatever a method wants to know. */
export const anything = {
  ...{
    consentId: 'x',
    tokenId: 'x',
    type: 'totp',
    mfa: true,
    otp: '000000',
    factor: 'email',
    challengeId: 'x',
  },
  ...{ targetId: 'x', identifier: 'x', transactionId: 'x', operations: [], databaseId: 'main' },
  ...{ collectionId: 'posts', documentId: 'x', data: {}, attribute: 'x', url: 'http://juntas.example' },
}
