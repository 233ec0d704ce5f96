/** The icon codes are those of the Appwrite API. */

export type IconLogo = { logo: string }
/** The icon is a white word on a colour, for brands whose logo is in no package. */
export type IconWordMark = { word: string; color: string }
export type CreditCardIcon = IconLogo | IconWordMark

/** A browser's variants for phones and testing use the same logo. */
export const browserIcons: ReadonlyMap<string, IconLogo | IconWordMark> = new Map(
  Object.entries({
    aa: { word: 'Av', color: '#0a6ebd' },
    an: { logo: 'android-icon' },
    ch: { logo: 'chrome' },
    ci: { logo: 'chrome' },
    cm: { logo: 'chrome' },
    cr: { word: 'Cr', color: '#4587f3' },
    ff: { logo: 'firefox' },
    sf: { logo: 'safari' },
    mf: { logo: 'safari' },
    ps: { logo: 'microsoft-edge' },
    oi: { logo: 'microsoft-edge' },
    om: { logo: 'opera' },
    op: { logo: 'opera' },
    on: { logo: 'opera' },
  }),
)

const cencosud = { word: 'Cencosud', color: '#0071ce' }
const unionPay = { logo: 'unionpay' }

/** The codes include old names. */
export const creditCardIcons: ReadonlyMap<string, CreditCardIcon> = new Map(
  Object.entries({
    amex: { logo: 'amex' },
    argencard: { word: 'Argencard', color: '#1f3f8f' },
    cabal: { word: 'Cabal', color: '#153d7a' },
    censosud: cencosud,
    cencosud,
    diners: { logo: 'dinersclub' },
    discover: { logo: 'discover' },
    elo: { logo: 'elo' },
    hipercard: { logo: 'hipercard' },
    jcb: { logo: 'jcb' },
    mastercard: { logo: 'mastercard' },
    naranja: { word: 'Naranja', color: '#d9480f' },
    'targeta-shopping': { word: 'Shopping', color: '#b3202a' },
    'union-china-pay': unionPay,
    unionpay: unionPay,
    visa: { logo: 'visa' },
    mir: { word: 'МИР', color: '#0f754e' },
    maestro: { logo: 'maestro' },
    rupay: { word: 'RuPay', color: '#1b3281' },
  }),
)

/** ISO 3166-1, as the Appwrite API lists them. */
export const countryFlagCodes: ReadonlySet<string> = new Set(
  `af ao al ad ae ar am ag au at az bi be bj bf bd bg bh bs ba by bz bo br bb bn bt bw cf ca ch cl cn ci cm cd cg co km cv
   cr cu cy cz de dj dm dk do dz ec eg er es ee et fi fj fr fm ga gb ge gh gn gm gw gq gr gd gt gy hn hr ht hu id in ie ir
   iq is il it jm jo jp kz ke kg kh ki kn kr kw la lb lr ly lc li lk ls lt lu lv ma mc md mg mv mx mh mk ml mt mm me mn mz
   mr mu mw my na ne ng ni nl no np nr nz om pk pa pe pf ph pw pg pl kp pt py qa ro ru rw sa sd sn sg sb sl sv sm so rs ss
   st sr sk si se sz sc sy td tg th tj tm tl to tt tn tr tv tz ug ua uy us uz va vc ve vn vu ws ye za zm zw`.split(
    /\s+/,
  ),
)
