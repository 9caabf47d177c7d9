from .columns import geometric_mean as geometric_mean
from .comparison import compare_results as compare_results
from .registry import get_task as get_task
from .registry import key_tasks_by_name as key_tasks_by_name
from .registry import tasks_by_name as tasks_by_name
from .result import TaskResult as TaskResult

# Parts: `python tools/public_names.py` writes these lines.
from .all_words import AllWords as AllWords
from .erk_2013 import Erk2013 as Erk2013
from .jurgens_2012 import Jurgens2012 as Jurgens2012
from .lexsub import LexSub as LexSub
from .semcor_wsi import SemCorWSI as SemCorWSI
from .semeval_2010 import SemEval2010 as SemEval2010
from .semeval_2013 import SemEval2013 as SemEval2013
from .senseval import Senseval as Senseval
from .usim import Usim as Usim
from .wssim import Wssim as Wssim
