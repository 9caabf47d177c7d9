from .editing import merge_senses as merge_senses
from .profile import make_profile as make_profile
