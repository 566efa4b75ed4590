"""Three files of each format, written by the libraries that people write them with, and where their facts stand."""

from tests.files import office_samples, package_samples, text_samples
from tests.files.sample import Sample

SAMPLES: dict[str, list[Sample]] = {
    "PPTX": office_samples.pptx_samples(),
    "XLSX": office_samples.xlsx_samples(),
    "XLS": office_samples.xls_samples(),
    "ODS": office_samples.ods_samples(),
    "ODT": office_samples.odt_samples(),
    "ODP": office_samples.odp_samples(),
    "RTF": office_samples.rtf_samples(),
    "EPUB": package_samples.epub_samples(),
    "EML": package_samples.eml_samples(),
    "MSG": package_samples.msg_samples(),
    "ZIP": package_samples.zip_samples(),
    "CSV": text_samples.csv_samples(),
    "JSON": text_samples.json_samples(),
    "IPYNB": text_samples.ipynb_samples(),
    "RST": text_samples.rst_samples(),
    "ASCIIDOC": text_samples.asciidoc_samples(),
    "CODE": text_samples.code_samples(),
}
