/** Migrations define the tables, and a test compares both. */
import type { ColumnType, Generated } from 'kysely'
import type { RemovedMetadata } from '#contract/files/files.ts'
import type { LanguageSet } from '#contract/language.ts'

/** Only the database sets this column, on insert. */
type Kept<T> = ColumnType<T, never, T>
/** Set at insert or by default. Never null. */
type Defaulted<T> = ColumnType<T, T | undefined, T>

export type DatabaseTables = {
  accounts: {
    id: Generated<number>
    public_id: string
    email: string | null
    phone: string | null
    name: Defaulted<string>
    password_hash: string | null
    password_updated_at: Date | null
    email_verified: Defaulted<boolean>
    phone_verified: Defaulted<boolean>
    status: Defaulted<'active' | 'blocked'>
    labels: Defaulted<string[]>
    prefs: ColumnType<Record<string, unknown>, string | undefined, string>
    first_session_at: Date | null
    email_proven_at: Date | null
    phone_set_at: Date | null
    username_changed_at: Date | null
    closed_at: Kept<Date | null>
    reopens_on_sign_in: Defaulted<boolean>
    mfa: Defaulted<boolean>
    webauthn_id: Buffer | null
    rules_seen: Defaulted<number>
    announcement_seen: Defaulted<number>
    language: LanguageSet | null
    erased_at: Date | null
    accessed_at: Defaulted<Date>
    created_at: Kept<Date>
    updated_at: Kept<Date>
  }
  deletions: {
    id: Generated<number>
    public_id: string
    account_id: number | null
    state: Defaulted<'waiting' | 'erasing' | 'done'>
    takes_back_messages: Defaulted<boolean>
    asked_at: Defaulted<Date>
    erase_after: Date
    cancel_hash: Buffer
    step: Defaulted<number>
    counts: ColumnType<Record<string, number>, string | undefined, string>
    receipt: string | null
    finished_at: Date | null
  }
  unlock_requests: {
    account_id: number
    asked_at: Defaulted<Date>
    due_at: Date
    cancel_hash: Buffer
    email_id: number | null
  }
  emails: {
    id: Generated<number>
    kind: string
    sealed: Buffer
    recipient_hash: Buffer
    created_at: Defaulted<Date>
    expires_at: Date
    next_attempt_at: Defaulted<Date>
    attempts: Defaulted<number>
    last_error: string | null
    failed_at: Date | null
  }
  exports: {
    id: Generated<number>
    public_id: string
    account_id: number
    state: Defaulted<'gathering' | 'ready' | 'failed'>
    step: Defaulted<number>
    storage_key: string
    holder: string | null
    heartbeat_at: Date | null
    failures: Defaulted<number>
    bytes: number | null
    directory_at: number | null
    directory_bytes: number | null
    created_at: Kept<Date>
    ready_at: Date | null
    dies_at: Date | null
  }
  export_entries: {
    export_id: number
    n: number
    name: string
    file_id: number | null
    blob: string | null
    size: number | null
    crc32: number | null
    at: Date
    starts_at: number | null
    listed_at: number | null
  }
  community: {
    only_row: Defaulted<boolean>
    name: Defaulted<string>
    registration: Defaulted<'open' | 'invite' | 'closed'>
    rules: Defaulted<string[]>
    rules_version: Defaulted<number>
    rules_changed_at: Date | null
    contact: Defaulted<string>
    setup_hash: Buffer | null
    first_steps_hidden_at: Date | null
    set_up_at: Kept<Date | null>
    setup_hashes: Kept<Buffer[]>
    accent: string | null
    announcement: Defaulted<string>
    announcement_version: Defaulted<number>
    announced_at: Date | null
    takes_applications: Defaulted<boolean>
    application_question: Defaulted<string>
    applications_emailed_at: Date | null
  }
  applications: {
    id: Generated<number>
    public_id: string
    state: Defaulted<'waiting' | 'approved' | 'declined'>
    name: string
    username: string
    username_key: Kept<string>
    username_skeleton: Kept<string>
    email: string
    password_hash: string | null
    rules_seen: Defaulted<number>
    language: 'es' | 'en' | null
    answer: string
    voucher_named: string | null
    voucher_id: number | null
    vouched: boolean | null
    vouched_at: Date | null
    email_confirmed_at: Date | null
    created_at: Defaulted<Date>
    emailed_at: Date | null
    decided_at: Date | null
    decided_by: number | null
    account_id: number | null
  }
  community_logo: { only_row: Defaulted<boolean>; version: string; small: Buffer; large: Buffer }
  email_days: { day: string; sent: number }
  invitations: {
    id: Generated<number>
    public_id: string
    code_hash: Buffer
    sealed_code: Buffer
    inviter_id: number
    account_id: number | null
    created_at: Defaulted<Date>
    expires_at: Defaulted<Date>
    used_at: Date | null
    ended_at: Date | null
    reusable: Defaulted<boolean>
    uses: Defaulted<number>
  }
  sessions: {
    id: Generated<number>
    public_id: string
    account_id: number
    secret_hash: Buffer
    provider: string
    provider_uid: Defaulted<string>
    ip: string | null
    user_agent: Defaulted<string>
    created_at: Defaulted<Date>
    updated_at: Kept<Date>
    last_seen_at: Defaulted<Date>
    expires_at: Date
    proved_at: Defaulted<Date | null>
    pending_until: Date | null
    step_attempts: Defaulted<number>
    second_factor: 'totp' | 'recoverycode' | 'passkey' | null
    second_proved_at: Date | null
    from_known_browser: Defaulted<boolean>
    moderating_until: Date | null
    wants_push: Defaulted<boolean>
  }
  tokens: {
    id: Generated<number>
    public_id: string
    account_id: number | null
    kind: string
    secret_hash: Buffer
    sent_to: string | null
    asked_as: string | null
    attempts: Defaulted<number>
    created_at: Kept<Date>
    expires_at: Date
    used_at: Date | null
  }
  jwts: { token_hash: Buffer; session_id: number; expires_at: Date }
  identities: {
    id: Generated<number>
    public_id: string
    account_id: number
    provider: string
    provider_uid: string
    provider_email: Defaulted<string>
    /** Null until the server's next start, which sets '' if no provider of this name is configured. */
    issuer: string | null
    created_at: Kept<Date>
    updated_at: Kept<Date>
  }
  oauth_attempts: {
    state_hash: Buffer
    browser_hash: Buffer
    provider: string
    wanted: 'session' | 'token' | 'web' | 'connection'
    success_url: string
    failure_url: string
    expires_at: Defaulted<Date>
    invite_hash: Buffer | null
    account_id: number | null
  }
  known_devices: {
    device_hash: Buffer
    account_id: number
    seen_at: Defaulted<Date>
    trusted_until: Date | null
  }
  totp_secrets: {
    account_id: number
    sealed: Buffer
    verified_at: Date | null
    last_step: Defaulted<number>
    tries: Defaulted<number>
    tries_since: Defaulted<Date>
    own_tries: Defaulted<number>
    own_tries_since: Defaulted<Date>
    created_at: Kept<Date>
  }
  recovery_codes: {
    account_id: number
    code_hash: Buffer
    used_at: Date | null
    asked_in: Defaulted<string | null>
  }
  challenges: {
    id: Generated<number>
    public_id: string
    session_id: number
    factor: 'totp' | 'recoverycode'
    attempts: Defaulted<number>
    created_at: Kept<Date>
    expires_at: Defaulted<Date>
    used_at: Date | null
  }
  passkeys: {
    id: Generated<number>
    public_id: string
    account_id: number
    rp_id: string
    credential_id: Buffer
    public_key: Buffer
    sign_count: Defaulted<number>
    transports: Defaulted<string[]>
    aaguid: string
    backed_up: boolean
    name: string
    created_at: Kept<Date>
    used_at: Date | null
  }
  passkey_challenges: {
    challenge_hash: Buffer
    purpose: 'sign-in' | 'proof' | 'registration'
    session_id: number | null
    expires_at: Defaulted<Date>
  }
  instance: {
    only_row: Defaulted<boolean>
    key_fingerprint: Buffer | null
    id: Defaulted<string>
    position_key: Buffer | null
  }
  held_usernames: { username_skeleton: string; account_id: number; held_until: Defaulted<Date> }
  account_events: {
    id: Kept<number>
    account_id: number
    event: string
    ip: string | null
    user_agent: Defaulted<string>
    about: string | null
    whom: string | null
    created_at: Kept<Date>
  }
  files: {
    id: Generated<number>
    public_id: string
    owner_id: number
    state: Defaulted<'uploading' | 'ready' | 'attached' | 'deleting'>
    purpose: 'post' | 'user' | 'group' | 'message' | null
    name: string
    storage_key: string
    announced_size: number
    size: number | null
    chunks_total: number
    mime_type: 'image/jpeg' | 'image/png' | null
    signature: string | null
    sha256: Buffer | null
    crc32: number | null
    width: number | null
    height: number | null
    thumbhash: Buffer | null
    removed: Defaulted<RemovedMetadata[]>
    hidden_evidence: Defaulted<boolean>
    created_at: Kept<Date>
    updated_at: Kept<Date>
    name_folded: Kept<string>
  }
  file_chunks: { file_id: number; number: number; size: number }
  users: {
    id: Generated<number>
    public_id: string
    account_id: number
    name: string
    username: string
    username_key: Kept<string>
    username_skeleton: Kept<string | null>
    bio: Defaulted<string>
    image_id: number | null
    post_count: Kept<number>
    follower_count: Kept<number>
    following_count: Kept<number>
    followers_post_count: Defaulted<number>
    is_private: Defaulted<boolean>
    privatised_at: Kept<Date | null>
    is_listed: Defaulted<boolean>
    takes_vouch_requests: Defaulted<boolean>
    lists_for: Defaulted<'everyone' | 'followers' | 'me'>
    comments_from: Defaulted<'everyone' | 'followed' | 'nobody'>
    pictured_by: Defaulted<'everyone' | 'followed' | 'nobody'>
    on_place_pages: Defaulted<boolean>
    messages_from: Defaulted<'everyone' | 'ask' | 'followed' | 'nobody'>
    quick_exit: Defaulted<'off' | 'leave' | 'sign-out'>
    alt_reminder: Defaulted<boolean>
    shows_typing: Defaulted<boolean>
    shows_receipts: Defaulted<boolean>
    welcome_due: Defaulted<boolean>
    created_at: Kept<Date>
    updated_at: Kept<Date>
    name_folded: Kept<string>
    username_folded: Kept<string>
    bio_folded: Kept<string>
  }
  follows: {
    id: Generated<number>
    public_id: string
    follower_id: number
    following_id: number
    created_at: Kept<Date>
  }
  follow_requests: {
    id: Generated<number>
    public_id: string
    asker_id: number
    asked_id: number
    status: Defaulted<'pending' | 'approved' | 'declined'>
    withdrawn: Defaulted<boolean>
    created_at: Defaulted<Date>
    decided_at: Date | null
  }
  blocks: {
    id: Generated<number>
    public_id: string
    blocker_id: number
    blocked_id: number
    newer_accounts: Defaulted<boolean>
    created_at: Kept<Date>
  }
  block_pairs: {
    member_id: number
    other_id: number
    block_id: number
    other_name: Kept<string>
    other_username: Kept<string>
  }
  mutes: {
    id: Generated<number>
    public_id: string
    muter_id: number
    muted_id: number
    created_at: Kept<Date>
  }
  moderation_cases: {
    id: Generated<number>
    public_id: string
    kind: 'post' | 'member' | 'message' | 'group'
    subject_id: string
    about_id: number | null
    group_id: number | null
    desk: 'group' | 'moderators'
    status: Defaulted<'open' | 'decided'>
    severity: number
    claimed_by: number | null
    claimed_at: Date | null
    decision: 'dismiss' | 'hide' | 'warn' | 'suspend' | 'take-out' | 'remove-member' | null
    decided_by: number | null
    decided_at: Date | null
    reason: string | null
    subject_deleted_at: Date | null
    created_at: Defaulted<Date>
    emailed_at: Date | null
  }
  moderation_notices: {
    id: Generated<number>
    public_id: string
    member_id: number
    case_id: number | null
    kind: 'warning' | 'hidden' | 'upheld' | 'overturned'
    text: string
    read_at: Date | null
    created_at: Defaulted<Date>
  }
  appeals: {
    id: Generated<number>
    case_id: number
    text: string
    outcome: 'upheld' | 'overturned' | null
    answer: string | null
    decided_by: number | null
    decided_at: Date | null
    created_at: Defaulted<Date>
  }
  suspension_proposals: {
    id: Generated<number>
    public_id: string
    case_id: number
    proposed_by: number | null
    text: string
    days: number | null
    created_at: Defaulted<Date>
  }
  moderators: { member_id: number; added_by: string; created_at: Defaulted<Date> }
  suspensions: {
    id: Generated<number>
    account_id: number
    case_id: number | null
    reason: string
    ends_at: Date | null
    lifted_at: Date | null
    reopens: boolean
    created_at: Defaulted<Date>
  }
  moderation_log: {
    id: Generated<number>
    case_id: number | null
    actor_id: number | null
    act: string
    detail: unknown
    created_at: Defaulted<Date>
  }
  operator_acts: {
    id: Generated<number>
    public_id: string
    act: string
    operator_id: number | null
    run_by: string | null
    about_id: number | null
    detail: Defaulted<unknown>
    created_at: Defaulted<Date>
  }
  reports: {
    id: Generated<number>
    public_id: string
    case_id: number
    reporter_id: number | null
    reason: string
    note: Defaulted<string>
    repeated: Defaulted<number>
    desk: Defaulted<string | null>
    created_at: Defaulted<Date>
  }
  evidence: {
    id: Generated<number>
    report_id: number
    position: number
    kind: 'post' | 'member' | 'message' | 'group'
    snapshot: unknown
    file_id: number | null
    kept_until: Date | null
    created_at: Defaulted<Date>
  }
  notifications: {
    id: Generated<number>
    public_id: string
    user_id: number
    kind: string
    subject: string
    post_id: number | null
    group_id: number | null
    group_request_id: number | null
    follow_request_id: number | null
    comment_id: number | null
    person_id: number | null
    report_id: number | null
    conversation_id: number | null
    user_agent: string | null
    since: Date
    last_at: Date
    seq: number
    read_seq: Defaulted<number>
  }
  notification_marks: {
    user_id: number
    last_seq: Defaulted<number>
    seen_seq: Defaulted<number>
    read_seq: Defaulted<number>
  }
  notification_preferences: { user_id: number; kind: string; enabled: boolean }
  push_subscriptions: {
    id: Generated<number>
    user_id: number
    session_id: number | null
    endpoint: string
    p256dh: Buffer
    auth: Buffer
    created_at: Defaulted<Date>
  }
  push_schedule: {
    subscription_id: number
    topic: 'messages' | 'news' | 'safety' | 'farewell'
    due_at: Date | null
    leased_until: Date | null
    told_up_to: Defaulted<number>
    held: Defaulted<boolean>
    failures: Defaulted<number>
  }
  notification_delivery: {
    user_id: number
    push_kinds: string[] | null
    mail_kinds: string[] | null
    hides_contents: Defaulted<boolean>
    quiet_from: number | null
    quiet_to: number | null
    time_zone: string | null
    summary: Defaulted<'daily' | 'weekly' | 'never'>
    summary_due_at: Date | null
    summarized_seq: Defaulted<number>
  }
  notification_throttle: { user_id: number; subject: string; actor_id: number; rung_at: Date }
  notification_cursor: {
    only_row: Defaulted<boolean>
    seen: string
    target: string | null
    after_xid: Defaulted<string>
    after_id: Defaulted<number>
  }
  restrictions: {
    id: Generated<number>
    public_id: string
    restricter_id: number
    restricted_id: number
    created_at: Kept<Date>
  }
  groups: {
    id: Generated<number>
    public_id: string
    name: string
    description: Defaulted<string>
    image_id: number | null
    admin_id: number
    is_private: Defaulted<boolean>
    member_count: Kept<number>
    hidden_at: Date | null
    without_heir: Defaulted<boolean>
    created_at: Kept<Date>
    updated_at: Kept<Date>
    name_folded: Kept<string>
    description_folded: Kept<string>
  }
  group_handovers: {
    id: Generated<number>
    group_id: number
    from_id: number | null
    to_id: number
    case_id: number | null
    created_at: Kept<Date>
    declined_at: Date | null
    handed_on_at: Date | null
  }
  group_members: {
    id: Generated<number>
    public_id: string
    group_id: number
    user_id: number
    role: Defaulted<'admin' | 'member'>
    created_at: Kept<Date>
  }
  group_requests: {
    id: Generated<number>
    public_id: string
    group_id: number
    user_id: number
    status: Defaulted<'pending' | 'accepted' | 'rejected'>
    created_at: Kept<Date>
    updated_at: Kept<Date>
    processed_at: Date | null
    processed_by: number | null
  }
  posts: {
    id: Generated<number>
    public_id: string
    creator_id: number
    caption: string
    location: string
    tags: Defaulted<string[]>
    group_id: number | null
    image_id: number
    image_alt: Defaulted<string>
    photo_count: Kept<number>
    like_count: Kept<number>
    comments_from: Defaulted<'everyone' | 'followed' | 'nobody'>
    comment_count: Kept<number>
    followers_only: Defaulted<boolean>
    hidden_by: 'author' | 'group' | 'moderator' | null
    hidden_at: Date | null
    edited_at: Kept<Date | null>
    withheld_by: number | null
    shared_with: Kept<'everyone' | 'followers' | 'group' | null>
    shared_count: number | null
    shared_at: Kept<Date | null>
    created_at: Kept<Date>
    updated_at: Kept<Date>
    caption_folded: Kept<string>
    location_folded: Kept<string>
    tags_folded: Kept<string>
  }
  post_photos: {
    post_id: number
    position: number
    file_id: number
    alt: Defaulted<string>
    withheld_by: number | null
  }
  post_people: {
    id: Generated<number>
    public_id: string
    post_id: number
    file_id: number
    person_id: number
    x: number
    y: number
    state: Defaulted<'waiting' | 'shown' | 'declined'>
    asked_at: Kept<Date>
    decided_at: Date | null
    hidden_at: Date | null
  }
  post_topics: {
    post_id: Kept<number>
    kind: Kept<'tag' | 'place'>
    topic: Kept<string>
    creator_id: Kept<number>
    group_id: Kept<number | null>
    followers_only: Kept<boolean>
    created_at: Kept<Date>
    since: Kept<Date>
  }
  trending_rankings: { id: Kept<number>; ranked_at: Kept<Date> }
  trending_posts: {
    ranking_id: number
    post_id: number
    score: number
    creator_id: number
    group_id: number | null
    followers_only: boolean
  }
  post_edits: {
    id: Kept<number>
    post_id: Kept<number>
    caption: Kept<string>
    location: Kept<string>
    tags: Kept<string[]>
    until: Kept<Date>
  }
  post_likes: { post_id: number; user_id: number; created_at: Kept<Date> }
  comments: {
    id: Kept<number>
    public_id: string
    post_id: number
    author_id: number
    parent_id: number | null
    content: string
    like_count: Kept<number>
    reply_count: Kept<number>
    created_at: Kept<Date>
    edited_at: Kept<Date | null>
    removed_at: Defaulted<Date | null>
  }
  mentions: { user_id: number; post_id: number; comment_id: number | null }
  comment_likes: { comment_id: number; user_id: number; created_at: Kept<Date> }
  saves: {
    id: Generated<number>
    public_id: string
    user_id: number
    post_id: number
    created_at: Kept<Date>
  }
  conversations: {
    id: Generated<number>
    public_id: string
    low_id: number
    high_id: number
    type: Defaulted<'direct'>
    last_message_id: Kept<number | null>
    low_read_id: Defaulted<number>
    high_read_id: Defaulted<number>
    low_receipt_id: Kept<number | null>
    high_receipt_id: Kept<number | null>
    asked_id: Kept<number | null>
    declined_at: Kept<Date | null>
    unanswered_by: Kept<number | null>
    created_at: Kept<Date>
    updated_at: Kept<Date>
    low_opened: Defaulted<boolean>
    high_opened: Defaulted<boolean>
  }
  messages: {
    id: Kept<number>
    public_id: string
    conversation_id: number
    sender_id: number
    content: string
    type: Defaulted<'text'>
    created_at: Kept<Date>
    content_folded: Kept<string>
    unsent_at: Kept<Date | null>
    reply_to_id: Defaulted<number | null>
    photo_count: Defaulted<number>
    shared_post_id: Defaulted<number | null>
    shares: Defaulted<boolean>
  }
  message_photos: { message_id: number; position: number; file_id: number; alt: Defaulted<string> }
  message_reactions: { message_id: number; user_id: number; emoji: string; created_at: Kept<Date> }
  changes: {
    id: Generated<number>
    xid: Kept<string>
    collection: string
    kind: 'create' | 'update' | 'delete'
    row_id: number
    public_id: string
    member_ids: number[] | null
    group_id: number | null
    account_id: number | null
    state: unknown
    created_at: Kept<Date>
  }
  /** Groups whose posts are not all deleted yet. */
  deleted_groups: {
    id: number
    deleted_at: Kept<Date>
  }
  deleted_rows: {
    collection: string
    public_id: string
    row_id: number
    created_at: Date
    updated_at: Date
    deleted_at: Kept<Date>
    keys: Kept<unknown>
  }
  taken_ids: { id_hash: string }
  backups: {
    id: Generated<number>
    finished_at: Defaulted<Date>
    name: string
    scheduled: Defaulted<boolean>
    rows: number
    files: number
    bytes: number
    encrypted: Defaulted<boolean>
    verified: Defaulted<boolean>
  }
  backup_schedule: {
    only_row: Defaulted<boolean>
    due_at: Date
    attempts: Defaulted<number>
    next_attempt_at: Date | null
    failed_at: Date | null
    error: string | null
  }
  file_move: {
    only_row: Defaulted<boolean>
    target: 'disk' | 's3'
    copied_key: Defaulted<string>
    in_flight: Defaulted<string[]>
    files: Defaulted<number>
    bytes: Defaulted<number>
    started_at: Defaulted<Date>
    copied_at: Date | null
    verified_id: Defaulted<number>
    verified_at: Date | null
    ended_at: Date | null
  }
}
