/** The countries and territories of ISO 3166-1: the code of three letters, then that of two. */
const codes = `
  ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT AZEAZ BDIBI
  BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB BRNBN BTNBT
  BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM CPVCV CRICR CUBCU
  CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET
  FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR
  GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR
  IRQIQ ISLIS ISRIL ITAIT JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB
  LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH
  MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE
  NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PCNPN PERPE PHLPH PLWPW PNGPG POLPL
  PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ
  SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC
  TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY
  USAUS UZBUZ VATVA VCTVC VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS YEMYE ZAFZA ZMBZM ZWEZW
`;

const alpha2 = new Set<string>();
const alpha3 = new Map<string, string>();
for (const pair of codes.trim().split(/\s+/)) {
  alpha2.add(pair.slice(3));
  alpha3.set(pair.slice(0, 3), pair.slice(3));
}

export const countries: readonly string[] = [...alpha2].toSorted();

export function isCountry(code: string): boolean {
  return alpha2.has(code);
}

export const notCountry = 'must be a country of ISO 3166, for example CA';

/**
 * The code of a country as other systems write it: CA, ca, CAN, Canada, États-Unis. Undefined for any other text. Names are those of English,
 * French, Spanish and German.
 */
export function readCountry(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  if (alpha2.has(code)) return code;
  return alpha3.get(code) ?? otherNames[foldName(text)] ?? namesOfCountries().get(foldName(text));
}

const otherNames: Record<string, string> = {
  uk: 'GB',
  us: 'US',
  greatbritain: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  unitedstatesofamerica: 'US',
  czechrepublic: 'CZ',
  holland: 'NL',
  southkorea: 'KR',
  korearepublicof: 'KR',
  russianfederation: 'RU',
  vietnam: 'VN',
  turkey: 'TR',
  hongkong: 'HK',
  macau: 'MO',
};

let names: Map<string, string> | null = null;

/** Made when the first name is looked up: most files have codes. */
function namesOfCountries(): Map<string, string> {
  if (names) return names;
  names = new Map();
  for (const language of ['en', 'fr', 'es', 'de']) {
    const shown = new Intl.DisplayNames(language, { type: 'region' });
    for (const code of countries) names.set(foldName(shown.of(code) ?? code), code);
  }
  return names;
}

function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();
}
