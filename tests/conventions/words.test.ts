import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const folders = '{server,web,contract,api-client,scripts,bench,tests}'
const self = 'tests/conventions/words.test.ts'

/** Never ban common English words. */
const identifiers = `
  recognise theServer actsAsHerself AccountAsking CannotStart BadSettings demandComplete noteEvent noteGroupEvent isWantOfRoom
  asFailure isHere tellWithin tellLosers removedAtOnce boundBodies boundAnswers boundHeaders demandPace rawRefusal judgeOrigin
  demandClasses forAnybody forMembers addressKey beginSession endSessions giveToken takeToken passwordMatches nobodysHash
  spendLink spendCode endSecrets ProvenPerson lastUpdates isRemembered createTelling createLanes createRounds createTurns
  createPlaces createSharedWork receivePiece recordPiece lookingPatience keepSweeping linkLetter codeLetter toPortrait toInstant
  asThisDoorRefuses fittingJson createLifetimes askedFirst askAhead asksAhead anticipate askAgain shareLive useIntent
  markerOf learnMessage tearThreads sayRefusal useSteps useQuestion useAct toldBy heardAll readyPicture useStoredOnce
  onRepeat orRefuse whichAlone mustBeOneOf mustBeId guestsLack madeJustNow nobodyYet seeksHerProfile herAccountId herEmail
  namedGroups deletedPlace placeOf joinPortrait portraitColumns newestForHome groupToPostIn claimedOrRefuse writingOn lockAbove
  waitedForLock rememberedMs keysWritten toMoment isTruth sanitise sanitiseJpeg sanitisePng Guarded StandIn allowedUrl
  useDraftForm openLedger serviceLine poorConnection toldIn openStage patience onGoodMoment noteGoodMoment SealedEvidence
  ConversationStandingBar consumeStepAttempt getKnownClientKey hasPageServerTiming changeColumns NamedPerson NamedPeople namePerson
`
  .trim()
  .split(/\s+/)

const pathParts = `
  recognise cannot-start complete-collections guessable-passwords one-time-secrets proven-address account-record
  offered-methods route-classes limits-store live-audience live-catch-up live-delivery live-listeners live-telling live-wakes
  live-notify live-redis patience shared-work live-lanes live-rounds s3-exchange uploads-ledger recent-pictures files-sweep
  sanitised deflated serve-jobs decoder-process icon-process views-chat views-groups portraits ask-again use-act never-restored
  history-steps scroll-memory on-intent use-draft-form use-stored-once faces after-paint members-only painted
  chosen-picture arrangement arrivals marker outgoing left-groups kept-drafts posted-in use-question use-steps
  chunked-upload sanitize-result thread-cache write-workload
  her-browser poor-connection single-calls losing-sight service-line bad-pictures yardstick garbage stage
  sealed-evidence good-moment closed-admins server-timing conversation-standing-bar
`
  .trim()
  .split(/\s+/)

const citations = [
  /\breading [A-Z]-?\d/,
  /\bconflict C[-]\d/,
  /\bsecurity[ ]reference/i,
  /\bplatform[ ]reference/i,
  /\bspec[ ]§/i,
  /\barchitecture[ ]§/i,
  /\(reference X\d/,
]

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const sources = globSync(`${folders}/**/*.{ts,tsx,mjs}`, { cwd: root }).filter((path) => path !== self)

describe('forbidden words', () => {
  test('no identifier is a forbidden word', () => {
    expect(sources.length).toBeGreaterThan(500)
    const privateWord = new RegExp(`\\b(?:${identifiers.join('|')})\\b`, 'g')
    const found = sources.flatMap((path) =>
      [...withoutComments(read(path)).matchAll(privateWord)].map(([word]) => `${path}: ${word}`),
    )
    expect(found).toEqual([])
  })

  test('no file or folder has a forbidden name', () => {
    const found = sources.filter((path) =>
      path.split('/').some((part) => pathParts.includes(part.replace(/(\.test|\.spec)?\.\w+$/, ''))),
    )
    expect(found).toEqual([])
  })

  test('comments outside of tests name actors by role: the caller, the member, the client, the recipient', () => {
    const found = sources
      .filter((path) => !path.startsWith('tests/') && !/\.(test|spec)\.tsx?$/.test(path))
      .flatMap((path) =>
        commentsOf(read(path)).flatMap((comment) =>
          [...comment.matchAll(/\b(?:she|her|hers|herself)\b/gi)].map(
            ([word]) => `${path}: ${word} in ${comment}`,
          ),
        ),
      )
    expect(found).toEqual([])
  })

  test('no comment begins with of or with a bare who, what or whoever', () => {
    const found = sources.flatMap((path) =>
      commentsOf(read(path))
        .filter((comment) => /^(?:\/\*\*?|\/\/)[\s*]*(?:Who|Whom|Whoever|What|Of)\b/.test(comment))
        .map((comment) => `${path}: ${comment}`),
    )
    expect(found).toEqual([])
  })

  test('nothing cites a document that is not in the repository', () => {
    const files = [
      ...sources,
      ...globSync(`${folders}/**/*.{css,sql,html}`, { cwd: root }),
      ...globSync(['docs/**/*.md', '*.md'], { cwd: root }),
    ]
    const found = files.flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, at) =>
          citations.some((citation) => citation.test(line)) ? [`${path}:${at + 1}`] : [],
        ),
    )
    expect(found).toEqual([])
  })
})

const commentsOf = (text: string) => text.match(comments) ?? []
const withoutComments = (text: string) => text.replace(comments, '')
